import { argumentError, fullPage } from '@order-license/core/host';
import { listOf, orderShape } from '@order-license/core/masking';
import { hasLicenseCodes, type Order, type OrderLicenseError, type OrderSummary } from '@order-license/core/portable';
import * as z from 'zod';
import { argumentsForRest, describePart } from '../answers/describe-part.ts';
import { maskedNames, productNames, severalProducts, withProduct } from '../answers/order-codes.ts';
import { isSmall, type Selection, showOrders } from '../answers/order-tables.ts';
import type { Call } from '../read/call.ts';
import { type RangeQuery, rangeArguments, readRangeArguments } from '../read/range.ts';
import { maxReads, type ReadPart, readOrders } from '../read/read-orders.ts';
import { type Listed, maxListRequests } from '../read/read-range.ts';
import { askedOrderId, flag, orderId, orderNumber, productName, wholeNumber } from './arguments.ts';
import { findOrderByNumber } from './find-order-by-number.ts';
import { defineTool } from './tool.ts';

/**
 * Maximum number of IDs. It equals the number of orders that one call can list, because `continue` names them all if
 * they were created in the same second.
 */
const maxIds = maxListRequests * fullPage;
const oneChoice = `Pass one of \`id\` (from order_license_list_orders), \`order_number\` (bestellnummer), \`ids\` (up to ${maxIds}), or \`created_from\` and \`created_before\``;
const notIds = `\`ids\` must be a list of 1 to ${maxIds} whole numbers, each an \`id\` from order_license_list_orders`;

const input = z.strictObject(
  {
    id: askedOrderId(undefined, 'id from order_license_list_orders').optional(),
    order_number: orderNumber.optional().describe('bestellnummer'),
    ids: z
      .array(askedOrderId(notIds), { error: notIds })
      .min(1, { error: notIds })
      .max(maxIds, { error: notIds })
      .optional(),
    ...rangeArguments,
    product: productName.optional().describe('Only items whose product name contains this text'),
    codes: flag('codes').optional().describe('false returns `number_of_codes` instead of codes and URLs'),
    skip: wholeNumber('`skip` must be a positive whole number').optional().describe('Copy from `continue`'),
  },
  { error: oneChoice },
);
type Arguments = z.output<typeof input>;

export const getOrder = defineTool({
  name: 'order_license_get_order',
  title: 'Read orders',
  description:
    'Reads orders with line items, license codes and download URLs. For one order, pass `id` (1 request) or `order_number` (up to 15 requests). For several, pass `ids`; for a period, `created_from` and `created_before` (1 request per order). Only bezahlt and abgeschlossen orders have codes; for a period, other orders are skipped unless `codes` is false. Codes can arrive later, so an empty list is normal. In tables, prepend each `prefix` to the values in its column; columns `order` and `item` hold IDs. If `complete` is false, call again with the arguments in `continue`. A download URL is null if the product has no such version (64-bit or 32-bit). If `code_typ` is account, `license_key` is a login (user:password).',
  input,
  output: z
    .looseObject({ id: orderId.optional() })
    .describe(
      'One order: id, bestellnummer, status, gesamtpreis_brutto, waehrung, billing_address, items: list of product_name, menge (quantity), einzelpreis_brutto (gross unit price, decimal string), license_codes: list of license_key, code_typ (retail, volumen, account or abo), download_url_64, download_url_32, aktivierungen_bestellung (activations allowed). Otherwise, tables: orders, items, license_codes',
    ),
  documented: { orders: listOf(orderShape) },
  hasCard: true,
  async run(args, call) {
    const range = readRangeArguments(args);
    checkChoice(args, range);
    const { id, order_number, ids = [], product, codes = true, skip = 0 } = args;
    const found = order_number === undefined ? undefined : await findOrderByNumber(order_number, call);
    const one = found ?? (id === undefined ? undefined : { id });
    const orders: Listed[] = one ? [one] : ids.map((id) => ({ id }));
    const read = await readOrders(
      { orders, range: range.from && range },
      {
        maxOrders: maxReads,
        // If a single order fails, its error is the result, whatever the cause.
        check: !one,
        isWanted: ({ status }) => !codes || canHaveCodes(status, range),
        isEnough: (orders, { length: named }) =>
          showOrders(withProduct(orders, product), { codes, skip, named }).next !== undefined,
      },
      call,
    );
    if (one) checkRead(read, found);
    const all = call.show({ orders: read.orders }).orders;
    const shown = withProduct(all, product);
    const [first] = shown;
    if (one && first && product === undefined && codes && skip === 0 && isSmall(first)) return first;
    // `skip` applies to the first ID, even if its order cannot be read.
    const isFirst = ({ id }: { id: unknown }): boolean => String(id) === String(orders[0]?.id);
    const failure = read.failed.find(isFirst)?.error;
    const hasNothing = orders.length > 0 && read.orders.length + read.failed.length === 0;
    if (skip > 0 && failure?.retryable) throw failure;
    if (read.interruption && (hasNothing || (skip > 0 && read.left.some(isFirst)))) throw read.interruption;
    const part = { ...read, gaps: [...(read.gaps ?? []), ...maskedNames(all, product)] };
    return describeOrders(part, shown, { codes, skip: first && isFirst(first) ? skip : 0 }, product, call);
  },
});

/**
 * Checks that the arguments select orders in one way only.
 * @throws `bad_request` for arguments that contradict each other
 */
const checkChoice = ({ id, order_number, ids, skip, status, time_zone }: Arguments, range: RangeQuery): void => {
  const chosen = [id, order_number, ids].filter((value) => value !== undefined).length;
  const { from, before } = range;
  const hasDates = from !== undefined && before !== undefined;
  // `continue` may combine `ids` with a range: the IDs come first, and then the range.
  const isOne = hasDates ? chosen === 0 || (chosen === 1 && ids) : chosen === 1 && !from && !before;
  if (!isOne) throw argumentError(oneChoice);
  if (!hasDates && (status ?? time_zone)) {
    throw argumentError('`status` and `time_zone` require `created_from` and `created_before`');
  }
  if (chosen === 0 && skip !== undefined) throw wrongSkip('`skip` requires `id`, `order_number` or `ids`');
};

const wrongSkip = (detail: string): OrderLicenseError => argumentError(detail, 'Use the arguments in `continue`.');

/**
 * Whether to read an order with this status for its codes. If the caller chose statuses, all orders with those statuses
 * are read. Orders with a status that the API docs don't name may also have codes.
 */
const canHaveCodes = (status: string, { statuses }: RangeQuery): boolean =>
  statuses !== undefined || hasLicenseCodes(status) !== false;

/**
 * Checks that a single requested order could be read.
 * @param found the order's list entry, if it was found by number
 * @throws the error that occurred, with advice
 */
const checkRead = ({ failed, interruption }: ReadPart, found: OrderSummary | undefined): void => {
  const [{ id, error } = { id: found?.id, error: interruption }] = failed;
  if (!error) return;
  if (found && askedOrderId().safeParse(id).success) {
    error.addAdvice(`The order has id ${id}; use this id in your next order_license_get_order call.`);
  } else if (!found && error.code === 'not_found') {
    error.addAdvice(`If ${id} is an order number, pass it as \`order_number\`.`);
  }
  throw error;
};

/** Returns tables with as many orders as fit into a result. The fields that say how to continue come first. */
const describeOrders = async (
  read: ReadPart,
  shown: readonly Order[],
  { codes, skip }: Selection,
  product: string | undefined,
  call: Call,
): Promise<object> => {
  const { tables, next, codesLeft } = showOrders(shown, { codes, skip, named: read.listed.length });
  if (skip > 0 && tables.orders.rows.length === 0) throw wrongSkip('The order has fewer entries than `skip`');
  const part = { ...read, left: [...(next ? shown.slice(next.index) : []), ...read.left] };
  const more = {
    ...(next && next.skip > 0 && { skip: next.skip }),
    ...(product !== undefined && { product }),
    ...(!codes && { codes }),
  };
  return {
    ...(await describePart(part, argumentsForRest(part, more), call)),
    ...(codesLeft > 0 && { codes_left: codesLeft }),
    ...severalProducts(product, productNames(shown)),
    ...tables,
  };
};
