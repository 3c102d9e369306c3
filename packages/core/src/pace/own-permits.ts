import type { LimitUpdate, TableState } from './permit-table.ts';
import { maxFlightMs } from './store.ts';

export interface OwnPermits {
  take(id: string): void;
  settle(id: string): void;
  giveBack(id: string): void;
  /** No permit before `until`, on the host's clock. */
  pause(until: number): void;
  state(): TableState;
  update(): LimitUpdate;
}

/** What this process knows without the table: its own permits and the last pause reported to it. */
export const createOwnPermits = (holdMs: number, now: () => number): OwnPermits => {
  const returnsAt = new Map<string, number>();
  let pausedUntil = Number.NEGATIVE_INFINITY;

  const out = (at: number): [id: string, returnsInMs: number][] => {
    for (const [id, time] of returnsAt) if (time <= at) returnsAt.delete(id);
    return Array.from(returnsAt, ([id, time]) => [id, time - at]);
  };

  return {
    take(id) {
      returnsAt.set(id, now() + maxFlightMs + holdMs);
    },
    settle(id) {
      returnsAt.set(id, Math.min(returnsAt.get(id) ?? Number.POSITIVE_INFINITY, now() + holdMs));
    },
    giveBack(id) {
      returnsAt.delete(id);
    },
    pause(until) {
      pausedUntil = Math.max(pausedUntil, until);
    },
    state() {
      const at = now();
      const returnsInMs = out(at).map(([, ms]) => Math.min(ms, holdMs));
      return { returnsInMs: returnsInMs.sort((a, b) => a - b), pausedMs: pausedUntil - at };
    },
    update() {
      const at = now();
      return { permits: new Map(out(at)), pausedMs: pausedUntil - at };
    },
  };
};
