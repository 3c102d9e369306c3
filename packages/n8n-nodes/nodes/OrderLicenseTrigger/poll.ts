import type { CallOptions, Client } from '@order-license/core/portable';
import { isRateLimitError } from '@order-license/core/portable';
import { createDeliveries } from './deliveries';
import type { Happening } from './happening';
import type { Wanted } from './observe';
import { createSweep, type Step } from './sweep';
import type { Watch } from './watch';

export interface PollOptions {
  client: Client;
  /** Changed in place, and at every moment consistent with the happenings found. */
  watch: Watch;
  wanted: Wanted;
  /** How long a closed order is watched, in ms. */
  watchMs: number;
  /** ms since 1970. */
  now(): number;
  /** What the next request may take; undefined when this poll has to end. Counts one request. */
  nextRequest(): Promise<CallOptions | undefined>;
  onUnreadable(id: string, error: Error): void;
}

export interface Polled {
  happened: Happening[];
  /** What ended the poll early; what was found before it is good. */
  error?: unknown;
}

/**
 * One poll: by turns the head of the list, the next page of the sweep, and an order that may have new license codes,
 * until there is nothing to do or no request left. The next poll takes up where this one ends.
 */
export const poll = async (options: PollOptions): Promise<Polled> => {
  const { client, watch, wanted, watchMs, now, nextRequest, onUnreadable } = options;
  repair(watch, now() - watchMs, now());
  let granted: CallOptions = {};
  const parts = { client, watch, wanted, options: () => granted };
  const sweep = createSweep({ ...parts, cutoff: now() - watchMs, now: now() });
  const deliver = createDeliveries({ ...parts, now, onUnreadable });
  const happened: Happening[] = [];
  const steps: readonly Step[] = [sweep.head, sweep.step, deliver];

  const work = async (): Promise<boolean> => {
    for (let tried = 0; tried < steps.length; tried++) {
      const step = steps[watch.turn];
      // Before the request: one that fails every time must not keep the others from their turn.
      watch.turn = (watch.turn + 1) % steps.length;
      const found = await step?.();
      for (const happening of found ?? []) happened.push(happening);
      if (found) return true;
    }
    return false;
  };

  try {
    for (let next = await nextRequest(); next; next = await nextRequest()) {
      granted = next;
      if (!(await work())) break;
    }
  } catch (error) {
    // Other uses of the key come first; the next poll goes on.
    return isRateLimitError(error) && error.source === 'local' ? { happened } : { happened, error };
  }
  return { happened };
};

/**
 * A watch that begins in the future by this clock, or at no time at all, takes note once more of what is there: the
 * clock was ahead then, or it is behind now. What came in after that beginning is new in both cases.
 */
const repair = (watch: Watch, from: number, now: number): void => {
  const began: unknown = watch.from;
  if (typeof began === 'number' && began <= now) return;
  if (typeof began === 'number') watch.newest ??= began / 1000;
  watch.from = from;
  watch.baseline = true;
  watch.at = undefined;
};
