import { z } from 'zod';
import type { Database } from '../storage/index.ts';

/** A lease without a beat for this long is free even if its process is there: that one hangs, ms. */
const LEASE_TTL_MS = 10 * 60_000;
/** Between two beats, ms. */
export const LEASE_BEAT_MS = 10_000;

const row = z.object({ owner: z.string(), pid: z.number(), pid_started: z.string(), beat_at: z.number() });

/** The engine that asks for leases: a name of its own, and the process it lives in. */
export interface LeaseOwner {
  readonly id: string;
  readonly pid: number;
  readonly started: string;
}

/** Whether the process with this pid still is the one that was started then. */
export type IsAlive = (pid: number, started: string) => Promise<boolean>;

/** Keeps two engines on one data directory from working on the same thing, and tells a crash from a neighbour. */
export class LeaseService {
  constructor(
    private readonly database: Database,
    private readonly owner: LeaseOwner,
    private readonly isAlive: IsAlive,
  ) {}

  /** Takes the lease if it is free, ours, or its owner is gone. */
  async claim(key: string): Promise<boolean> {
    const held = this.#read(key);
    if (held !== null && held.owner !== this.owner.id && (await this.#lives(held))) return false;
    return this.database.transaction(() => {
      const now = this.#read(key);
      // Somebody was faster while we looked whether the old owner lives.
      if (now !== null && now.owner !== this.owner.id && now.owner !== held?.owner) return false;
      this.database.run(
        'insert or replace into leases (key, owner, pid, pid_started, beat_at) values (?, ?, ?, ?, ?)',
        key,
        this.owner.id,
        this.owner.pid,
        this.owner.started,
        Date.now(),
      );
      return true;
    });
  }

  /** Renews every lease of this owner. */
  beat(): void {
    this.database.run('update leases set beat_at = ? where owner = ?', Date.now(), this.owner.id);
  }

  release(key: string): void {
    this.database.run('delete from leases where key = ? and owner = ?', key, this.owner.id);
  }

  /** Whether an engine with this name still works, judged by its own lease {@link engineKey}. */
  async engineLives(owner: string): Promise<boolean> {
    if (owner === this.owner.id) return true;
    const held = this.#read(engineKey(owner));
    return held !== null && (await this.#lives(held));
  }

  #read(key: string): z.infer<typeof row> | null {
    const raw = this.database.get('select * from leases where key = ?', key);
    return raw === undefined ? null : row.parse(raw);
  }

  async #lives(held: z.infer<typeof row>): Promise<boolean> {
    if (Date.now() - held.beat_at > LEASE_TTL_MS) return false;
    return this.isAlive(held.pid, held.pid_started);
  }
}

/** The lease that an engine holds for as long as it works. */
export function engineKey(owner: string): string {
  return `engine/${owner}`;
}
