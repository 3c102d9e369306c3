import { concernsEveryOrder } from '@order-license/core/host';
import { type IDataObject, type INode, NodeOperationError } from 'n8n-workflow';
import { type NodeError, withDetails } from '../shared/errors';

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
 * Returns a function that receives the outcome of each order or input item: its error, or undefined if it succeeded. As
 * soon as an error ends the run, the function returns the error for all other input items, which are not requested.
 */
export const createRunEnd = (node: INode): ((outcome: NodeError | undefined) => NodeError | undefined) => {
  let outagesInARow = 0;
  return (outcome) => {
    const { code, reason, statusCode } = (outcome?.context.details ?? {}) as IDataObject;
    outagesInARow = outage.includes(code) ? outagesInARow + 1 : 0;
    const isEnd = outagesInARow === maxOutagesInARow || endsAtOnce({ code, reason, statusCode });
    if (!outcome || !isEnd) return undefined;
    const { message, description } = outcome;
    const same = new NodeOperationError(node, message, { description: description ?? '' });
    return withDetails(same, { code, reason, statusCode, notRequested: true });
  };
};
