import type { Rejection } from '../auth/rejection.ts';
import { maxCalls } from './limits.ts';

/** Returns the slot; calling it again has no effect. */
export type Release = () => void;

export interface CallSlots {
  /**
   * Takes a slot for one tool call.
   * @param caller undefined for callers with the server's key and without sign-in, who can't be distinguished
   */
  take(caller: string | undefined): Release | Rejection;
}

/** Keeps one caller from taking all slots: callers that can't be distinguished leave `maxPerCaller` to the others. */
export const createCallSlots = (maxPerCaller: number): CallSlots => {
  const maxShared = maxCalls - maxPerCaller;
  const taken = new Map<string | undefined, number>();
  let all = 0;
  return {
    take(caller) {
      const own = taken.get(caller) ?? 0;
      if (caller !== undefined && own >= maxPerCaller) {
        return reject(
          429,
          `The places of this caller (${maxPerCaller}) are taken; call again when a call has ended, or start the server with a higher --max-per-caller.`,
        );
      }
      if (caller === undefined && own >= maxShared) {
        return reject(
          503,
          `All ${maxShared} places for callers without their own API key are taken; call again in a second, or send your own key as X-Order-License-Key.`,
        );
      }
      if (all >= maxCalls) return reject(503, `All ${maxCalls} places for calls are taken; call again in a second.`);
      all += 1;
      taken.set(caller, own + 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        all -= 1;
        const left = (taken.get(caller) ?? 1) - 1;
        if (left === 0) taken.delete(caller);
        else taken.set(caller, left);
      };
    },
  };
};

const reject = (status: number, message: string): Rejection => ({ status, message, headers: { 'retry-after': '1' } });
