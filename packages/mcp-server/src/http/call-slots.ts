import type { Refusal } from './guard.ts';

/** Calls of tools that run or wait at a time, of everybody. */
export const maxCalls = 64;

/** Returns the place; calling it again has no effect. */
export type Leave = () => void;

export interface Places {
  /**
   * Takes a place for one call of a tool.
   * @param apiKey the caller's own; undefined for callers that use the key of the server and cannot be told apart
   */
  enter(apiKey: string | undefined): Leave | Refusal;
}

/** Keeps one caller from taking all places: callers without an API key of their own leave `maxPerCaller` to the others. */
export const createPlaces = (maxPerCaller: number): Places => {
  const maxShared = maxCalls - maxPerCaller;
  const taken = new Map<string | undefined, number>();
  let all = 0;
  return {
    enter(apiKey) {
      const own = taken.get(apiKey) ?? 0;
      if (apiKey !== undefined && own >= maxPerCaller) {
        return refuse(
          429,
          `This API key has ${own} calls running or waiting here; call again when one has ended, or start the server with a higher --max-per-caller.`,
        );
      }
      if (apiKey === undefined && own >= maxShared) {
        return refuse(
          503,
          `All ${maxShared} places for callers without an API key of their own are taken; call again in a second, or send your own key as X-Order-License-Key.`,
        );
      }
      if (all >= maxCalls) return refuse(503, `All ${maxCalls} places for calls are taken; call again in a second.`);
      all += 1;
      taken.set(apiKey, own + 1);
      let isLeft = false;
      return () => {
        if (isLeft) return;
        isLeft = true;
        all -= 1;
        const left = (taken.get(apiKey) ?? 1) - 1;
        if (left === 0) taken.delete(apiKey);
        else taken.set(apiKey, left);
      };
    },
  };
};

const refuse = (status: number, message: string): Refusal => ({ status, message, headers: { 'retry-after': '1' } });
