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
  /** Permits of a window that those in this pool leave to others, as of now. */
  reserve(): number;
}

/** Those who wait for the same permits: any, or those outside the reserve. */
export interface Pool {
  add(waiting: Waiting): void;
  /** When the store is worth asking again for somebody in this pool. */
  blockedUntil(): number;
  /** @param reduced only a part of the limit is given out */
  block(until: number, reduced?: boolean): void;
  /** Nothing is known that speaks against asking the store from `at` on. */
  open(at: number): void;
  /** While blocked: informs those who wait how long it will be, and refuses those for whom that is too long. */
  inform(): Promise<void>;
}

export const createPool = ({ store, host, room, reserve }: PoolOptions): Pool => {
  const byPatience = createAgenda<Waiting>(isInLane);
  /** Those who have not been informed how long they wait for the limit, because nobody had to yet. */
  let uninformed: Waiting[] = [];
  let blockedUntil = Number.NEGATIVE_INFINITY;
  let reduced = false;

  /** The store is asked once and not for each: the queue may be long. */
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
        if (turn <= waiting.item.patientUntil) waiting.item.onWait({ place, waitMs });
        else {
          refuse(waiting);
          await pause();
        }
      }
      // Nobody has a turn before the block ends, whatever was forecast when they came.
      for (let next = byPatience.first(); next && isTooLong(); next = byPatience.first()) {
        refuse(next.item);
        await pause();
      }
    },
  };
};
