import { concernsEveryOrder } from '@order-license/core/host';
import type { IDataObject, INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { type NodeError, withDetails } from '../shared/errors';

/** Decides when an error ends the whole run even if the node is set to continue. */
export interface RunEnd {
  /** Records the outcome of an input item: an error, or undefined if it succeeded. */
  record(error: NodeError | undefined, item: number): void;
  /** Returns the error for an input item that is skipped because the run has ended; undefined until then. */
  notRequested(node: INode, item: number): NodeError | undefined;
}

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

export const createRunEnd = (): RunEnd => {
  let outagesInARow = 0;
  let last: { error: NodeError; item: number } | undefined;

  return {
    record(error, item) {
      const details = (error?.context.details ?? {}) as IDataObject;
      outagesInARow = outage.includes(details.code) ? outagesInARow + 1 : 0;
      // Core stops reading a list after several consecutive orders have failed; `ordersNotRead` names these orders.
      const unread = outagesInARow > 0 && Array.isArray(details.ordersNotRead) ? details.ordersNotRead.length : 0;
      const isOut = Math.max(outagesInARow, unread) >= maxOutagesInARow;
      if (error && (isOut || endsAtOnce(details))) last = { error, item };
    },
    notRequested(node, itemIndex) {
      if (!last) return undefined;
      const { message, description } = last.error;
      const error = new NodeOperationError(node, 'Skipped because of an earlier error', {
        description: `The run ended at input item ${last.item}: ${message}. ${description ?? ''}`.trim(),
        itemIndex,
      });
      return withDetails(error, { code: 'not_requested' });
    },
  };
};
