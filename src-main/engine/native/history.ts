import type { AssistantMessage, ChatMessage, ToolCall, ToolMessage } from './messages.ts';

/** What `repairHistory` changed; all zero for a sound history. */
export interface HistoryDiagnostics {
  /** Calls without a result, which were given one with status `missing`. */
  readonly missing: number;
  /** Results without a call, or a second result of one call: left out. */
  readonly orphans: number;
  /** Calls that were given another id, because theirs was empty or taken. */
  readonly renamed: number;
}

export interface RepairedHistory {
  readonly messages: readonly ChatMessage[];
  readonly diagnostics: HistoryDiagnostics;
}

/** What the model reads in the place of a result that nobody recorded. */
export const MISSING_RESULT =
  'No result of this call was recorded. It may have had its effect, in part or in whole: look before you repeat it.';

/**
 * Makes a history that every provider takes: each call has an id of its own and exactly one result in the block of
 * results right behind its message, and no result stands anywhere else. Results are matched by id within that block, in
 * any order. A sound history comes back as it is.
 */
export function repairHistory(messages: readonly ChatMessage[]): RepairedHistory {
  const repaired: ChatMessage[] = [];
  const ids = new CallIds(messages);
  let missing = 0;
  let orphans = 0;
  for (let at = 0; at < messages.length; ) {
    const message = messages[at];
    at += 1;
    if (message === undefined) break;
    if (message.role === 'tool') {
      orphans += 1;
      continue;
    }
    if (message.role === 'user') {
      repaired.push(message);
      continue;
    }
    const results: ToolMessage[] = [];
    for (let next = messages[at]; next?.role === 'tool'; next = messages[at]) {
      results.push(next);
      at += 1;
    }
    const block = repairBlock(message, results, (call) => ids.give(call));
    repaired.push(block.assistant, ...block.results);
    missing += block.missing;
    orphans += block.orphans;
  }
  const diagnostics = { missing, orphans, renamed: ids.renamed };
  const isSound = missing === 0 && orphans === 0 && ids.renamed === 0;
  return { messages: isSound ? messages : repaired, diagnostics };
}

interface Block {
  readonly assistant: AssistantMessage;
  readonly results: readonly ToolMessage[];
  readonly missing: number;
  readonly orphans: number;
}

function repairBlock(
  assistant: AssistantMessage,
  results: readonly ToolMessage[],
  idOf: (call: ToolCall) => string,
): Block {
  const calls = assistant.calls.map((call) => ({ call, id: idOf(call) }));
  const open = [...calls];
  const matched: ToolMessage[] = [];
  for (const result of results) {
    // Two calls of one id: the first result is the first call's.
    const index = open.findIndex(({ call }) => call.id === result.callId);
    const [owner] = index === -1 ? [] : open.splice(index, 1);
    if (owner !== undefined) matched.push(owner.id === result.callId ? result : { ...result, callId: owner.id });
  }
  const added = open.map(
    ({ id }): ToolMessage => ({ role: 'tool', callId: id, status: 'missing', text: MISSING_RESULT, attachments: [] }),
  );
  const isRenamed = calls.some(({ call, id }) => call.id !== id);
  return {
    assistant: isRenamed ? { ...assistant, calls: calls.map(({ call, id }) => ({ ...call, id })) } : assistant,
    results: [...matched, ...added],
    missing: added.length,
    orphans: results.length - matched.length,
  };
}

/** Gives every call an id that no other call of the history has (Anthropic refuses a request with one id twice). */
class CallIds {
  readonly #given = new Set<string>();
  readonly #inUse: ReadonlySet<string>;
  renamed = 0;

  constructor(messages: readonly ChatMessage[]) {
    this.#inUse = new Set(
      messages.flatMap((message) => (message.role === 'assistant' ? message.calls.map(({ id }) => id) : [])),
    );
  }

  give(call: ToolCall): string {
    const isFree = call.id !== '' && !this.#given.has(call.id);
    const id = isFree ? call.id : this.#mint(call.id === '' ? 'call' : call.id);
    if (!isFree) this.renamed += 1;
    this.#given.add(id);
    return id;
  }

  #mint(stem: string): string {
    for (let number = 2; ; number += 1) {
      const id = `${stem}_${number}`;
      if (!this.#given.has(id) && !this.#inUse.has(id)) return id;
    }
  }
}
