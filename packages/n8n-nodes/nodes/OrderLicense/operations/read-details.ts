import { type ErrorCode, isOrderLicenseError, type Order, type OrderSummary } from '@order-license/core/portable';
import { NodeOperationError } from 'n8n-workflow';
import {
  endsReading,
  type NodeError,
  orderDetails,
  orderName,
  sentence,
  toNodeError,
  withDetails,
} from '../../shared/errors';
import { type LicenseKeys, protectError, protectOrder } from '../../shared/license-keys';
import { continuesOnError, type Run } from './operation';

/** Reads an order of the list in full (§4.3), with the fields of its list entry; one request. */
export type ReadDetails = (listed: OrderSummary) => Promise<(OrderSummary & Order) | NodeError>;

/** After this many consecutive failures, the service is assumed to be unreachable. */
const maxFailuresInARow = 3;
const outOfReach: readonly ErrorCode[] = ['connection', 'timeout', 'server'];

const howToGoOn = "To read the other orders anyway, set 'On Error' to continue in the node's settings.";

/**
 * Creates the reader for one list. With On Error set to continue, it returns an error that names the order for each order
 * that fails, and after three consecutive ones without an answer, for all others without a request.
 * @throws {NodeError} if the key is refused, the limit is used up or the execution is cancelled; with On Error set to
 * stop, for every failure
 */
export const createReadDetails = (
  { context, client, hints }: Run,
  item: number,
  licenseKeys: LicenseKeys,
): ReadDetails => {
  const node = context.getNode();
  const signal = context.getExecutionCancelSignal();
  let failuresInARow = 0;
  let last: NodeError | undefined;

  return async (summary) => {
    const listed = protectOrder(summary, licenseKeys);
    if (last && failuresInARow >= maxFailuresInARow) {
      hints.addUnreadOrder(listed);
      const skipped = new NodeOperationError(node, `${sentence(orderName(listed))} was not requested`, {
        description: `Three orders in a row failed before it. ${last.message}. Run the workflow again later.`,
        itemIndex: item,
      });
      return withDetails(skipped, { code: 'not_requested', ...orderDetails(listed) });
    }
    try {
      const detail = await client.getOrder(summary.id, { signal, priority: 'bulk' });
      failuresInARow = 0;
      const order = { ...summary, ...detail };
      hints.addOrder(protectOrder(order, licenseKeys));
      return order;
    } catch (error) {
      const goesOn = continuesOnError(context);
      last = toNodeError(node, protectError(error, licenseKeys), item, listed, goesOn ? undefined : howToGoOn);
      if (!goesOn || endsReading(error)) throw last;
      hints.addUnreadOrder(listed);
      failuresInARow = isOrderLicenseError(error) && outOfReach.includes(error.code) ? failuresInARow + 1 : 0;
      return last;
    }
  };
};
