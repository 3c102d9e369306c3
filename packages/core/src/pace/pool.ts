import { RateLimitError } from '../base/errors.ts';
import type { Host } from '../base/host.ts';
import { createAgenda } from './agenda.ts';
import { isInLane } from './fair-lane.ts';
import type { Wait, Waiting } from './permit-request.ts';
import { createPause } from './refusals.ts';
import type { RateLimitStore } from './store.ts';
import type { WaitingRoom } from './waiting-room.ts';

export interface PoolOptions {
  store: RateLimitStore;
  host: Pick<Host, 'now' | 'sleep'>;
  room: WaitingRoom;
  /** Permits of a window that callers in this pool currently leave to others. */
  reserve(): number;
}

/** Requests that wait for the same permits: any, or those outside the reserve. */
export interface Pool {
  add(waiting: Waiting): void;
  /** When to query the store again for this pool. */
  blockedUntil(): number;
  /** @param reduced only a part of the limit is available */
  block(until: number, reduced?: boolean): void;
  /** Allows queries again from `at` on. */
  open(at: number): void;
  /** While blocked: reports the expected wait to waiting requests, and refuses those that cannot wait that long. */
  inform(): Promise<void>;
}

export const createPool = ({ store, host, room, reserve }: PoolOptions): Pool => {
  const byPatience = createAgenda<Waiting>(isInLane);
  /** Requests not yet informed of their wait for the limit, because none had to wait yet. */
  let uninformed: Waiting[] = [];
  let blockedUntil = Number.NEGATIVE_INFINITY;
  let reduced = false;

  /** One query for all of them: the queue may be long. */
  const forecast = async (): Promise<(waiting: Waiting) => Wait & { turn: number }> => {
    const turnAt = await store.forecast?.(reserve());
    return (waiting) => {
      const ahead = room.ahead(waiting);
      const turn = Math.max(blockedUntil, turnAt?.(ahead) ?? blockedUntil);
      return { turn, place: ahead + 1, waitMs: turn - host.now() };
    };
  };

  const isTooLong = (): boolean => (byPatience.first()?.at ?? Number.POSITIVE_INFINITY) < blockedUntil;

  return {
    add(waiting) {
      byPatience.add(waiting.item.patientUntil, waiting);
      uninformed.push(waiting);
      if (uninformed.length > 2 * room.size() + 64) uninformed = uninformed.filter(isInLane);
    },
    blockedUntil: () => blockedUntil,
    block(until, isReduced = reduced) {
      blockedUntil = Math.max(blockedUntil, until);
      reduced = isReduced;
    },
    open(at) {
      blockedUntil = at;
    },
    async inform() {
      if (uninformed.length === 0 && !isTooLong()) return;
      const pause = createPause(host);
      const waitOf = await forecast();
      const refuse = (waiting: Waiting): void => {
        const reason = reduced ? 'reduced' : undefined;
        room.refuse(waiting, new RateLimitError('local', waitOf(waiting).waitMs, { reason }));
      };
      for (const waiting of uninformed.splice(0)) {
        if (!isInLane(waiting)) continue;
        const { turn, place, waitMs } = waitOf(waiting);
        if (turn <= waiting.item.patientUntil) waiting.item.onWait({ place, waitMs: Math.round(waitMs) });
        else {
          refuse(waiting);
          await pause();
        }
      }
      // No request is sent before the block ends, whatever was forecast.
      for (let next = byPatience.first(); next && isTooLong(); next = byPatience.first()) {
        refuse(next.item);
        await pause();
      }
    },
  };
};
