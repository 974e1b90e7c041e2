import type { ReaderEvent } from '../../../src-shared/events.ts';
import { oneLine } from '../../../src-shared/plainText.ts';
import { MAX_COMMAND_LENGTH, MAX_DETAIL_LENGTH } from './limits.ts';
import { isShape, type Shape } from './shape.ts';

/** Ids become words of the next command line: this shape cannot be taken for an option or a path. */
const SESSION_ID = /^[0-9A-Za-z][0-9A-Za-z_-]{0,127}$/;
const OPENING_BRACE = 0x7b;

export function isSessionId(id: string | null): id is string {
  return id !== null && SESSION_ID.test(id);
}

/** The event that a line of JSON is; `null` for tracing and other plain text, and for a line that was cut off. */
export function parseEvent(line: string): Shape | null {
  if (line.charCodeAt(0) !== OPENING_BRACE) return null;
  try {
    const event: unknown = JSON.parse(line);
    return isShape(event) ? event : null;
  } catch {
    // A line cut off by a crash, or text that only looks like an event: the stdout artifact keeps it.
    return null;
  }
}

/** The session that an agent reported, beside the one that was asked for. */
export function sessionEvents(id: string | null, resuming: string | null): ReaderEvent[] {
  if (!isSessionId(id)) {
    return [warning('The session’s id cannot be used, so the next message will start a new one.')];
  }
  const how = id === resuming ? 'resumed' : 'fresh';
  const session: ReaderEvent = { type: 'session', sessionId: id, how };
  if (how === 'resumed' || resuming === null) return [session];
  return [session, warning(`Session ${resuming} was to be continued, but ${id} was started instead.`)];
}

/** A piece of a message; nothing for an empty one. */
export function piece(kind: 'text' | 'thinking', messageId: string, text: string): ReaderEvent[] {
  return text === '' ? [] : [{ type: kind, messageId, text }];
}

export function warning(text: string): ReaderEvent {
  return { type: 'notice', level: 'warning', text };
}

/** A command as it is kept for evidence. */
export function describeCommand(command: string): string {
  return command.length > MAX_COMMAND_LENGTH
    ? `${command.slice(0, MAX_COMMAND_LENGTH)}… (${command.length} characters in all)`
    : command;
}

/** An agent's words as they stand in a sentence of ours. */
export function sentencePart(text: string): string {
  return oneLine(text, MAX_DETAIL_LENGTH).replace(/\.$/, '');
}
