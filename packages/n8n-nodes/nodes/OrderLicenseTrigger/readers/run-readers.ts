import type { Poll, PollOutcome } from '../poll';
import { readLicenseCodes } from './license-codes';
import { readNewOrders } from './new-orders';
import { beginCodes } from './record-order';
import { readStatusChanges } from './status-changes';

/** Runs one poll: new orders first, then changes of others. The next poll continues where it stops. */
export const runReaders = async (poll: Poll): Promise<PollOutcome> => {
  let hasRead = false;
  beginCodes(poll);
  try {
    hasRead = await readNewOrders(poll);
    if (hasRead && !poll.isResumed) {
      await readStatusChanges(poll);
      await readLicenseCodes(poll);
    }
    return { hasRead };
  } catch (error) {
    return { hasRead, error };
  }
};
