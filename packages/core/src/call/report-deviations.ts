import type { OnEvent } from '../base/events.ts';
import type { Host } from '../base/host.ts';
import type { FindDeviations } from '../client/client-options.ts';
import type { Caller } from './call.ts';

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
