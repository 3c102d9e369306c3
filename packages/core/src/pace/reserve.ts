import type { Host } from '../base/host.ts';
import { type Lane, maxPassed } from './queue.ts';

/** Calls in these lanes leave the reserve to the others. */
export const leavesReserve = (lane: Lane): boolean => lane >= 2;

export interface Reserve {
  /** How many permits of a window calls of this lane leave to others. */
  leftBy(lane: Lane): number;
  /** A call of this lane waits. */
  onWait(lane: Lane): void;
  /** A call of this lane got a permit. @param areOthersWaiting whether calls that leave the reserve wait */
  onGrant(lane: Lane, areOthersWaiting: boolean): void;
  /** When the calls that leave the reserve have waited so long that they may use it too; Infinity if none waits. */
  starvesAt(): number;
}

/**
 * Who leaves the reserve to whom. If calls that may use it take so many permits, here or in other processes, that none
 * is left for the rest, the rest gets about one in ten, as in a queue without a reserve.
 * @param read the current reserve and requests per window, the window in ms, and until when nobody gets a permit
 */
export const createReserve = (
  host: Pick<Host, 'now'>,
  read: () => { reserve: number; requests: number; windowMs: number; pausedUntil: number },
): Reserve => {
  /** Consecutive permits for calls that may use the reserve while others waited. */
  let grantedPast = 0;
  /** Since when no call that leaves the reserve got a permit although one was waiting. */
  let passedSince: number | undefined;
  /** Permits of the reserve that those calls may still use. */
  let owed = 0;

  /** A permit outside the reserve returns within a window and a flight, unless other processes use them all. */
  const starvesAt = (): number => {
    const { reserve, windowMs, pausedUntil } = read();
    if (passedSince === undefined || reserve === 0) return Number.POSITIVE_INFINITY;
    // During a pause, no call is passed over.
    return Math.max(passedSince, pausedUntil) + 1.5 * windowMs;
  };

  return {
    leftBy(lane) {
      const { reserve } = read();
      const isPassedOver = grantedPast >= Math.max(maxPassed, 2 * reserve) || owed > 0 || host.now() >= starvesAt();
      return leavesReserve(lane) && !isPassedOver ? reserve : 0;
    },
    onWait(lane) {
      if (leavesReserve(lane)) passedSince ??= host.now();
    },
    onGrant(lane, areOthersWaiting) {
      if (!leavesReserve(lane)) {
        grantedPast = areOthersWaiting ? grantedPast + 1 : 0;
        return;
      }
      grantedPast = 0;
      if (host.now() >= starvesAt()) owed = Math.ceil(read().requests / 10);
      owed = Math.max(0, owed - 1);
      passedSince = areOthersWaiting ? host.now() : undefined;
    },
    starvesAt,
  };
};
