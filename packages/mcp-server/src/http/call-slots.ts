import { Rejection } from '../auth/rejection.ts';

/** Maximum number of concurrent tool calls from all callers, running or waiting. */
export const maxCalls = 64;

/**
 * Takes a slot for one tool call until the signal aborts.
 * @param caller undefined for callers that use the server's key without sign-in, because they can't be distinguished
 * @throws Rejection if no slot is free
 */
export type TakeSlot = (caller: string | undefined, until: AbortSignal) => void;

/**
 * Limits the calls in progress, so that no caller can take all slots. Callers that can't be distinguished leave
 * `maxPerCaller` slots to the others.
 */
export const createCallSlots = (maxPerCaller: number): TakeSlot => {
  const maxShared = maxCalls - maxPerCaller;
  const taken = new Map<string | undefined, number>();
  let all = 0;
  const add = (caller: string | undefined, calls: number): void => {
    all += calls;
    const own = (taken.get(caller) ?? 0) + calls;
    if (own === 0) taken.delete(caller);
    else taken.set(caller, own);
  };
  return (caller, until) => {
    const own = taken.get(caller) ?? 0;
    if (caller !== undefined && own >= maxPerCaller) {
      throw reject(
        429,
        `This caller has the maximum number of calls in progress (${maxPerCaller}). Call again when one of them has ended, or start the server with a higher --max-per-caller.`,
      );
    }
    if (caller === undefined && own >= maxShared) {
      throw reject(
        503,
        `Callers without their own API key have the maximum number of calls in progress (${maxShared}). Call again in a second, or send your own API key as X-Order-License-Key.`,
      );
    }
    if (all >= maxCalls) {
      throw reject(
        503,
        `The server has the maximum number of calls in progress (${maxCalls}). Call again in a second.`,
      );
    }
    until.throwIfAborted();
    add(caller, 1);
    until.addEventListener('abort', () => add(caller, -1), { once: true });
  };
};

const reject = (status: number, message: string): Rejection => new Rejection(status, message, { retryAfter: 1 });
