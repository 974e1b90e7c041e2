import type { CallInput } from '../../src-shared/api.ts';
import type { Seat } from '../../src-shared/conversations.ts';
import type { Failure } from '../../src-shared/failure.ts';
import { MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from '../../src-shared/limits.ts';
import { startFreshSession, updateSeat } from '../state/intents.ts';
import { type AgentChoice, choiceKeyOf } from './agentChoices.ts';

const MINUTE_MS = 60_000;

/** A seat's settings as the operator types them. */
export interface SeatForm {
  /** The key of an `AgentChoice`. */
  readonly choice: string;
  readonly model: string;
  readonly minutes: string;
  /** Empty for no idle limit. */
  readonly idleMinutes: string;
  /** Whether the fresh session that another agent or model begins is told the transcript. */
  readonly replay: boolean;
}

export type SeatChange = CallInput<'updateSeat'>;

function typedMinutes(ms: number | null): string {
  return ms === null ? '' : String(ms / MINUTE_MS);
}

export function formOf(seat: Seat): SeatForm {
  return {
    choice: choiceKeyOf(seat),
    model: seat.model ?? '',
    minutes: typedMinutes(seat.timeoutMs),
    idleMinutes: typedMinutes(seat.idleTimeoutMs),
    replay: false,
  };
}

/** The time that minutes as typed mean, ms; `null` when they are no time that a limit may have. */
export function limitOfMinutes(typed: string): number | null {
  const ms = Math.round(Number(typed.trim().replace(',', '.')) * MINUTE_MS);
  return typed.trim() !== '' && ms >= MIN_TIMEOUT_MS && ms <= MAX_TIMEOUT_MS ? ms : null;
}

const hasNoIdleLimit = (form: SeatForm): boolean => form.idleMinutes.trim() === '';

export function hasTimeFaults(form: SeatForm): { time: boolean; idle: boolean } {
  return {
    time: limitOfMinutes(form.minutes) === null,
    idle: !hasNoIdleLimit(form) && limitOfMinutes(form.idleMinutes) === null,
  };
}

export function isOtherAgent(seat: Seat, form: SeatForm): boolean {
  return form.choice !== choiceKeyOf(seat);
}

function modelOf(form: SeatForm): string | null {
  const model = form.model.trim();
  return model === '' ? null : model;
}

export function isOtherModel(seat: Seat, form: SeatForm): boolean {
  return modelOf(form) !== seat.model;
}

/** What of the form differs from the seat; `null` when nothing does. */
export function changeOf(seat: Seat, form: SeatForm, chosen: AgentChoice | undefined): SeatChange | null {
  const timeoutMs = limitOfMinutes(form.minutes);
  const idleTimeoutMs = hasNoIdleLimit(form) ? null : limitOfMinutes(form.idleMinutes);
  const otherAgent = isOtherAgent(seat, form) ? chosen : undefined;
  const change: SeatChange = {
    seatId: seat.id,
    ...(otherAgent === undefined ? {} : { agent: otherAgent.agent, definitionId: otherAgent.definitionId }),
    ...(otherAgent === undefined && !isOtherModel(seat, form) ? {} : { model: modelOf(form) }),
    ...(timeoutMs === null || timeoutMs === seat.timeoutMs ? {} : { timeoutMs }),
    ...(idleTimeoutMs === seat.idleTimeoutMs || hasTimeFaults(form).idle ? {} : { idleTimeoutMs }),
  };
  return Object.keys(change).length === 1 ? null : change;
}

/** Saves what changed; `replay` is whether the fresh session that this begins is told the transcript, if it begins one. */
export async function saveSeat(seat: Seat, change: SeatChange | null, replay: boolean | null): Promise<Failure | null> {
  if (change === null) return null;
  const failed = await updateSeat(change);
  return failed === null && replay !== null ? startFreshSession(seat.id, replay) : failed;
}
