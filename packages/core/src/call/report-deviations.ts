import type { OnEvent } from '../base/events.ts';
import type { Host } from '../base/host.ts';
import type { Caller } from './call.ts';
import type { Operation } from './operations.ts';

/** The paths at which the `data` of a response differs from the API docs. */
export type FindDeviations = (operation: Operation<unknown>['name'], data: unknown) => string[] | Promise<string[]>;

/** Emits `deviation` for a result that differs from the API docs. A comparison that fails costs no good response. */
export const createDeviationReport = (
  findDeviations: FindDeviations,
  emit: OnEvent,
  warn: NonNullable<Host['warn']>,
): NonNullable<Caller['reportDeviations']> => {
  let hasFailed = false;
  return async (operation, result) => {
    try {
      const paths = await findDeviations(operation, result);
      if (paths.length > 0) emit({ type: 'deviation', operation, paths });
    } catch (error) {
      if (!hasFailed) warn('Responses could not be compared with the API docs; the calls continue.', error);
      hasFailed = true;
    }
  };
};
