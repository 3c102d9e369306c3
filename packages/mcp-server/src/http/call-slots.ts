import { maxCalls } from './limits.ts';
import type { Rejection } from './rejection.ts';

/** Returns the slot; calling it again has no effect. */
export type Release = () => void;

export interface CallSlots {
  /**
   * Takes a slot for one call of a tool.
   * @param apiKey the caller's own; undefined for callers that use the key of the server and cannot be told apart
   */
  take(apiKey: string | undefined): Release | Rejection;
}

/** Keeps one caller from taking all slots: callers without an API key of their own leave `maxPerCaller` to the others. */
export const createCallSlots = (maxPerCaller: number): CallSlots => {
  const maxShared = maxCalls - maxPerCaller;
  const taken = new Map<string | undefined, number>();
  let all = 0;
  return {
    take(apiKey) {
      const own = taken.get(apiKey) ?? 0;
      if (apiKey !== undefined && own >= maxPerCaller) {
        return reject(
          429,
          `This API key has ${own} calls running or waiting here; call again when one has ended, or start the server with a higher --max-per-caller.`,
        );
      }
      if (apiKey === undefined && own >= maxShared) {
        return reject(
          503,
          `All ${maxShared} places for callers without an API key of their own are taken; call again in a second, or send your own key as X-Order-License-Key.`,
        );
      }
      if (all >= maxCalls) return reject(503, `All ${maxCalls} places for calls are taken; call again in a second.`);
      all += 1;
      taken.set(apiKey, own + 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        all -= 1;
        const left = (taken.get(apiKey) ?? 1) - 1;
        if (left === 0) taken.delete(apiKey);
        else taken.set(apiKey, left);
      };
    },
  };
};

const reject = (status: number, message: string): Rejection => ({ status, message, headers: { 'retry-after': '1' } });
