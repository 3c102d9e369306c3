import { checkWhole } from '../base/checks.ts';
import { argumentError } from '../base/errors.ts';
import { pointAtCaller } from '../base/point-at-caller.ts';
import type { WalkPosition } from '../base/walk-position.ts';
import type { WalkGap } from './list-gaps.ts';

/**
 * A walk that pauses between its steps. After an error, or a `break`, another `for await` over the same object resumes
 * it: no order is skipped or returned twice.
 */
export interface OrderWalk<T> extends AsyncIterableIterator<T> {
  /**
   * After the last entry returned: store it as JSON once you have handled that entry, and a walk with `position`
   * resumes there, also in another process. Undefined if a walk cannot be resumed by date: in a list that is not sorted
   * by `created_at`, and while more than 5,000 orders have the same date, or none.
   */
  readonly position: WalkPosition | undefined;
  /** Why orders may be missing from what was read so far; at the end of the walk, empty if it proved complete. */
  readonly gaps: WalkGap[];
  /**
   * The next `limit` entries of the walk as an array, fewer at its end. Another call continues after them.
   * @param options `limit` is required: an account may have more orders than fit in memory
   * @throws `bad_request` without a limit; then the errors of a call
   */
  toArray(options: { limit: number }): Promise<T[]>;
}

/** @param next returns undefined at the end; it is called again after an error */
export const iterate = <T>(
  next: () => Promise<T | undefined>,
  { position, gaps }: { position(): WalkPosition | undefined; gaps(): WalkGap[] },
): OrderWalk<T> => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    get position() {
      return position();
    },
    get gaps() {
      return gaps();
    },
    async next() {
      // Two concurrent calls would take the same step twice.
      const step = last.then(next);
      last = step.catch(() => undefined);
      const value = await pointAtCaller(step);
      return value === undefined ? { done: true, value } : { done: false, value };
    },
    async toArray(options) {
      if (options?.limit === undefined) {
        throw argumentError('`toArray` requires a limit', 'Pass one, such as `toArray({ limit: 100 })`.');
      }
      const limit = checkWhole('limit', options.limit, Number.MAX_SAFE_INTEGER);
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
