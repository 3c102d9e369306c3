import { concernsEveryOrder } from '@order-license/core/host';
import type { IDataObject } from 'n8n-workflow';
import type { NodeError } from '../shared/errors';

/**
 * Whether an error would also affect every other input item. This includes a reached rate limit and an unreachable
 * address.
 */
const endsAtOnce = ({ code, statusCode, reason }: IDataObject): boolean =>
  concernsEveryOrder({ code, status: statusCode }) ||
  code === 'rate_limited' ||
  ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(String(reason));

const outage: readonly unknown[] = ['connection', 'timeout', 'server'];
const maxOutagesInARow = 3;

/**
 * Returns a function that receives the outcome of each order or input item: its error, or undefined if it succeeded.
 * The function returns whether the run ends, without requests for the other input items.
 */
export const createRunEnd = (): ((outcome: NodeError | undefined) => boolean) => {
  let outagesInARow = 0;
  return (outcome) => {
    const details = (outcome?.context.details ?? {}) as IDataObject;
    outagesInARow = outage.includes(details.code) ? outagesInARow + 1 : 0;
    return outagesInARow === maxOutagesInARow || endsAtOnce(details);
  };
};
