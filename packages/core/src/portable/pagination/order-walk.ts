import { checkOptions } from '../base/check-options.ts';
import { checkWhole } from '../base/check-whole.ts';
import type { WalkPosition } from '../base/walk-position.ts';

/**
 * A walk that stands still between its steps. After an error, or a `break`, another `for await` over the same object
 * goes on where it was: nothing is left out and nothing is given twice.
 */
export interface OrderWalk<T> extends AsyncIterableIterator<T> {
  /**
   * Behind the last entry returned: store it as JSON once that entry is dealt with, and a walk with `position` goes on
   * there, also in another process. Undefined where a walk cannot be taken up by date: in a list that is not sorted by
   * `created_at`, and while more than 5,000 orders have the same date, or none.
   */
  readonly position: WalkPosition | undefined;
  /**
   * The next `limit` entries of the walk as an array, fewer at its end. Another call goes on behind them.
   * @param options `limit` has to be given: an account may have more orders than belong in memory
   * @throws `bad_request` without a limit; then what a call throws
   */
  toArray(options: { limit: number }): Promise<T[]>;
}

/** @param next returns undefined at the end; after an error it is called again */
export const iterate = <T>(
  next: () => Promise<T | undefined>,
  position: () => WalkPosition | undefined,
): OrderWalk<T> => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    get position() {
      return position();
    },
    next() {
      // Two calls at once would take the same step twice.
      const step = last
        .then(next)
        .then((value): IteratorResult<T> => (value === undefined ? { done: true, value } : { done: false, value }));
      last = step.catch(() => undefined);
      return step;
    },
    async toArray(options) {
      const limit = checkWhole('limit', checkOptions(options).limit, Number.MAX_SAFE_INTEGER);
      const all: T[] = [];
      while (all.length < limit) {
        const { value, done } = await this.next();
        if (done) break;
        all.push(value);
      }
      return all;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};
