import { cutMiddle } from './compactionText.ts';
import { imageTokens, messagesTokens, messageTokens, textTokens } from './estimate.ts';
import type { ChatMessage, ToolMessage, UserAttachment, UserMessage } from './messages.ts';

/** What of a history stays as it is, what is shortened, and what a summary is to stand for. Pure. */

/** Turns whose images stay, the current one counted. */
export const RECENT_TURNS = 3;
/** A result with fewer estimated tokens is not worth its stub. */
const PRUNE_FLOOR_TOKENS = 100;
/** The least of a recent prompt's text that stays with its images. */
const LEAST_PROMPT_TOKENS = 60;
/** Images that a summary names when they are no longer sent; the newest ones. */
const MAX_NAMED_IMAGES = 20;

/** Estimated tokens that the parts of a compacted history may have. */
export interface Budgets {
  /** The newest messages, which stay word for word. */
  readonly tail: number;
  /** Text of the operator's earlier prompts. */
  readonly prompts: number;
  /** Images of the recent turns. Those of the current prompt always stay. */
  readonly images: number;
  readonly summary: number;
  /** What a compaction must make room for, or it is not worth its price. */
  readonly leastGain: number;
}

/** Messages that are taken or left together: a user message, or an answer with the results of its calls. */
interface Group {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

function groupsOf(messages: readonly ChatMessage[]): Group[] {
  const starts = messages.flatMap((message, index) => (message.role === 'tool' && index > 0 ? [] : [index]));
  return starts.map((start, number) => {
    const end = starts[number + 1] ?? messages.length;
    return { start, end, tokens: messagesTokens(messages.slice(start, end)) };
  });
}

/** Where the newest groups begin that fit into `budget`; the last one is among them whatever it has. */
function tailStart(messages: readonly ChatMessage[], budget: number): number {
  const summary = messages.findLastIndex(isSummary);
  let start = messages.length;
  let left = budget;
  for (const group of groupsOf(messages).reverse()) {
    left -= group.tokens;
    // A summary is always folded into the next one: there is never a second.
    if (group.start <= summary || (left < 0 && start < messages.length)) break;
    start = group.start;
  }
  return start;
}

/** Shortens the results of the last step when they alone have more than `budget`: the model goes on from them. */
export function shortenLastStep(messages: readonly ChatMessage[], budget: number): readonly ChatMessage[] {
  const last = groupsOf(messages).at(-1);
  if (last === undefined || last.tokens <= budget) return messages;
  const results = messages.slice(last.start, last.end).flatMap((message) => (message.role === 'tool' ? [message] : []));
  if (results.length === 0) return messages;
  const besides = last.tokens - results.reduce((sum, { text }) => sum + textTokens(text), 0);
  const each = Math.max(PRUNE_FLOOR_TOKENS, Math.floor((budget - besides) / results.length));
  return messages.map((message, index) =>
    index >= last.start && message.role === 'tool' ? { ...message, text: cutMiddle(message.text, each) } : message,
  );
}

export interface Pruned {
  readonly messages: readonly ChatMessage[];
  /** Results whose output was taken out. */
  readonly results: number;
}

/** Takes the output of results out that are older than the newest messages that fit into `budget`. */
export function pruneResults(messages: readonly ChatMessage[], budget: number): Pruned {
  const start = tailStart(messages, budget);
  let results = 0;
  const pruned = messages.map((message, index) => {
    if (index >= start || message.role !== 'tool' || messageTokens(message) < PRUNE_FLOOR_TOKENS) return message;
    const stub = stubOf(message);
    if (messageTokens(stub) >= messageTokens(message)) return message;
    results += 1;
    return stub;
  });
  return { messages: results === 0 ? messages : pruned, results };
}

function stubOf(message: ToolMessage): ToolMessage {
  const images = message.attachments.map((image) => `\n${named(image)}`).join('');
  const text = `[The output of this call, ${message.text.length} characters, was taken out to make room. Call it again if it is needed.]${images}`;
  return { ...message, text, attachments: [] };
}

/** Takes away what the provider counted for messages that are no longer the same: see `estimateRequest`. */
export function withoutStaleUsage(before: readonly ChatMessage[], after: readonly ChatMessage[]): ChatMessage[] {
  const changed = after.findIndex((message, index) => message !== before[index]);
  return after.map((message, index) =>
    changed !== -1 && index >= changed && message.role === 'assistant' ? { ...message, usage: null } : message,
  );
}

export interface Plan {
  /** What the summary is to stand for, in order; an earlier summary is among it. */
  readonly head: readonly ChatMessage[];
  /** Earlier prompts that stay, before the summary. */
  readonly prompts: readonly UserMessage[];
  /** The current prompt when it is not in `tail`: it stays behind the summary, as it is. */
  readonly current: UserMessage | null;
  readonly tail: readonly ChatMessage[];
  /** Images of `head` that are not sent any more. */
  readonly images: readonly UserAttachment[];
}

/** How to summarise; `null` when that would not make enough room. */
export function planSummary(messages: readonly ChatMessage[], budgets: Budgets): Plan | null {
  const start = tailStart(messages, budgets.tail);
  const head = messages.slice(0, start);
  const currentIndex = messages.findLastIndex(isPrompt);
  const message = messages[currentIndex];
  const current = message?.role === 'user' && currentIndex < start ? message : null;
  const later = messages.slice(start).filter(isPrompt).length;
  const earlier = head.filter(isPrompt).filter((prompt) => prompt !== current);
  const prompts = keepPrompts(earlier, current === null ? later : later + 1, budgets);

  const kept = messagesTokens(prompts) + (current === null ? 0 : messageTokens(current));
  if (messagesTokens(head) - kept - budgets.summary < budgets.leastGain) return null;
  const shown = new Set([...prompts, ...(current === null ? [] : [current])].flatMap(({ attachments }) => attachments));
  const images = head.flatMap((each) => (each.role === 'assistant' ? [] : each.attachments));
  return { head, prompts, current, tail: messages.slice(start), images: images.filter((image) => !shown.has(image)) };
}

/** The earlier prompts that stay, oldest first: images of recent ones, and what there is room for of the texts. */
function keepPrompts(earlier: readonly UserMessage[], newerTurns: number, budgets: Budgets): UserMessage[] {
  const kept: UserMessage[] = [];
  let textLeft = budgets.prompts;
  let imagesLeft = budgets.images;
  for (const [age, prompt] of [...earlier].reverse().entries()) {
    const isRecent = newerTurns + age < RECENT_TURNS;
    const attachments = prompt.attachments.filter((image) => {
      const cost = imageTokens(image);
      if (!isRecent || cost > imagesLeft) return false;
      imagesLeft -= cost;
      return true;
    });
    const gone = prompt.attachments.filter((image) => !attachments.includes(image));
    const text = [prompt.text, ...gone.map(named)].filter((part) => part.trim() !== '').join('\n');
    const cost = messageTokens({ ...prompt, text, attachments: [] });
    if (cost <= textLeft) {
      if (text !== '' || attachments.length > 0) kept.push({ ...prompt, text, attachments });
      textLeft -= cost;
      continue;
    }
    // No older text either: what stays of the prompts is without a hole, but for texts that go with recent images.
    const left = textLeft;
    textLeft = 0;
    if (attachments.length === 0) continue;
    kept.push({ ...prompt, text: cutMiddle(text, Math.max(LEAST_PROMPT_TOKENS, left)), attachments });
  }
  return kept.reverse();
}

/** The history with `text` in the place of what it stands for. */
export function applyPlan(plan: Plan, text: string, budgets: Budgets): ChatMessage[] {
  const images = plan.images.slice(-MAX_NAMED_IMAGES).map(named);
  while (images.length > 0 && textTokens(images.join()) > budgets.summary / 3) images.shift();
  const summary: UserMessage = {
    role: 'user',
    text: [SUMMARY_HEADING, cutMiddle(text, budgets.summary), ...images].join('\n\n'),
    attachments: [],
    kind: 'summary',
  };
  const messages = [...plan.prompts, summary, ...(plan.current === null ? [] : [plan.current]), ...plan.tail];
  return messages
    .filter((message) => !isEmptyPrompt(message))
    .map((message) => (message.role === 'assistant' ? { ...message, usage: null } : message));
}

const SUMMARY_HEADING =
  '[Earlier messages were taken out to make room. This summary stands for them; what the operator wrote before it was ' +
  'dealt with as it says.]';

function named(image: UserAttachment): string {
  return `[Image no longer attached: ${image.name}, ${image.width} × ${image.height}, ${image.path}]`;
}

function isPrompt(message: ChatMessage): message is UserMessage {
  return message.role === 'user' && message.kind === 'prompt';
}

function isSummary(message: ChatMessage): boolean {
  return message.role === 'user' && message.kind === 'summary';
}

function isEmptyPrompt(message: ChatMessage): boolean {
  return message.role === 'user' && message.text.trim() === '' && message.attachments.length === 0;
}
