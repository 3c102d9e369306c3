import { argumentError } from '@order-license/core/host';
import { listOf, orderShape } from '@order-license/core/masking';
import { hasLicenseCodes, type Order, type OrderLicenseError, type OrderSummary } from '@order-license/core/portable';
import * as z from 'zod';
import { entriesThatFit, fits } from '../answers/budget.ts';
import { argumentsForRest, describePart, unlessEmpty } from '../answers/list-answer.ts';
import { showAll } from '../answers/masked-answer.ts';
import {
  countCodes,
  entriesOf,
  hasFewCodes,
  maxEntries,
  type OfProduct,
  readSkip,
  selectProduct,
  skipTo,
  tablesOf,
  wholeOrders,
} from '../answers/order-tables.ts';
import { afterWholeLimit, type Call } from '../client/one-call.ts';
import { findOrderByNumber } from '../read/find-order.ts';
import { endBefore, type Part } from '../read/list-part.ts';
import { isNotAbove, type Listed, type RangeQuery, rangeArguments, readRangeArguments } from '../read/range.ts';
import { maxReads, readPart } from '../read/read-part.ts';
import { askedOrderId, maxIds, orderId, orderNumber, productName, wholeNumber } from './arguments.ts';
import { defineTool } from './tool.ts';

const oneChoice = `Pass one of \`id\` (from order_license_list_orders), \`order_number\` (bestellnummer), \`ids\` (up to ${maxIds}), or \`created_from\` and \`created_before\``;

const input = z.strictObject(
  {
    id: askedOrderId(wholeNumber.describe('id from order_license_list_orders')).optional(),
    order_number: orderNumber.optional().describe('bestellnummer'),
    ids: z.array(askedOrderId()).min(1).max(maxIds).optional(),
    ...rangeArguments,
    product: productName.optional().describe('Only items whose product name contains this text'),
    codes: z.boolean().optional().describe('false returns `number_of_codes` instead of codes and URLs'),
    skip: z
      .string()
      .regex(/^[1-9]\d{0,8}(-[\w-]{6})?$/)
      .optional()
      .describe('Copy from `continue`'),
  },
  { error: oneChoice },
);
type Arguments = z.output<typeof input>;

export const getOrder = defineTool({
  name: 'order_license_get_order',
  title: 'Read orders',
  description:
    'Reads orders with line items, license codes and download URLs. For one order, pass `id` (1 request) or `order_number` (up to 15 requests). For several, pass `ids`; for a period, `created_from` and `created_before` (1 request per order). Only bezahlt and abgeschlossen orders have codes; for a period, other orders are skipped unless you pass `status`, or `codes` false. Codes can arrive later, so an empty list is normal. In tables, `order` and `item` hold IDs, and the row of an item has the fields that its codes share. If `complete` is false, call again with the arguments in `continue`. A download URL is null if the product has no such version (64-bit or 32-bit). If `code_typ` is account, `license_key` is a login (user:password).',
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
    const { id, order_number, ids = [], product, codes = true, skip } = args;
    const found = order_number === undefined ? undefined : await findOrderByNumber(order_number, call);
    const one = found ?? (id === undefined ? undefined : { id });
    const orders: readonly Listed[] = one ? [one] : ids.map((id) => ({ id }));
    // `skip` applies to the first ID, even if its order cannot be read.
    const begun = String(range.continueId ?? orders[0]?.id);
    const skipOf = (order: Listed | undefined): string | undefined =>
      order && String(order.id) === begun ? skip : undefined;
    const part = await readPart(
      {
        from: range.from ? range : orders,
        maxOrders: maxReads,
        isWanted: ({ status }) => !codes || canHaveCodes(status, range),
        isEnough(orders) {
          const selected = selectProduct(orders, product).orders;
          const all = entriesOf(selected, codes);
          const entries = all.slice(readSkip(all, skipOf(selected[0])).count);
          return entries.length > maxEntries || !fits(tablesOf(entries, codes));
        },
      },
      call,
    );
    const { interruption, listed, left, failed } = part;
    if (one) checkRead(part, found);
    if (interruption && listed.length > 0 && left.length === listed.length) throw afterWholeLimit(interruption, call);
    const shown = selectProduct(showAll(part.orders, call), product);
    const [first] = shown.orders;
    if (one && first && product === undefined && codes && skip === undefined && hasFewCodes(first)) {
      const answer = 'advice' in first ? first : { ...first, advice: aboutOrder(first, found !== undefined) };
      if (call.fits(answer)) {
        call.record([first], countCodes(first));
        return answer;
      }
    }
    const failure = failed.find((order) => skipOf(order) !== undefined)?.error;
    if (failure?.retryable) throw failure;
    return describeOrders(part, shown, { ...args, skip: skipOf(first) }, call);
  },
});

/**
 * Checks that the arguments select orders in one way only.
 * @throws `bad_request` for arguments that contradict each other
 */
const checkChoice = ({ id, order_number, ids, skip, status }: Arguments, range: RangeQuery): void => {
  const chosen = [id, order_number, ids, range.from && range.before].filter((value) => value !== undefined).length;
  const hasOneDate = (range.from === undefined) !== (range.before === undefined);
  if (chosen !== 1 || hasOneDate) throw argumentError(oneChoice);
  if (!range.from && (status || range.timeZone !== 'UTC')) {
    throw argumentError('`status` and `time_zone` require `created_from` and `created_before`');
  }
  if (skip !== undefined && range.from && range.continueId === undefined) {
    throw wrongSkip('`skip` requires `id`, `order_number`, `ids` or `continue_id`');
  }
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
const checkRead = ({ failed, interruption }: Part, found: OrderSummary | undefined): void => {
  const [{ id, error } = { id: found?.id, error: interruption }] = failed;
  if (!error) return;
  if (found && askedOrderId().safeParse(id).success) {
    error.addAdvice(`The order has id ${id}; use this id in your next order_license_get_order call.`);
  } else if (!found && error.code === 'not_found') {
    error.addAdvice(`If ${id} is an order number, pass it as \`order_number\`.`);
  }
  throw error;
};

/** Fields that only a list entry has, as far as the API docs say. */
const listFields = ['zahlungsstatus', 'lieferstatus', 'created_at'];
const lacksListFields = (order: Order): boolean => !('zahlungsstatus' in order);

/**
 * Says why an order has no codes, and which fields are missing.
 * @param isListed whether the order has the fields of its list entry
 */
const aboutOrder = (order: Order, isListed: boolean): string | undefined => {
  const hasNoCodes = countCodes(order) === 0 && hasLicenseCodes(order.status) === false;
  const advice = [
    hasNoCodes && `Orders with status ${order.status} have no license codes.`,
    !isListed && lacksListFields(order) && `${listFields.join(', ')} are only in order_license_list_orders.`,
  ].filter(Boolean);
  return advice.join(' ') || undefined;
};

/**
 * Returns tables with as many orders as fit into a result. The fields that say how to continue come first.
 * @param args the arguments of the call; `skip` counts the entries of the first order that earlier parts have shown
 */
const describeOrders = async (
  part: Part,
  { orders, products, gaps }: OfProduct,
  { id: _id, order_number: _number, skip, ...args }: Arguments,
  call: Call,
): Promise<object> => {
  const { codes = true } = args;
  const all = entriesOf(orders, codes);
  const { count: skipped, isUnchanged } = readSkip(all, skip);
  if (!isUnchanged) {
    throw argumentError(
      `The items or codes of order ${orders[0]?.id} have changed since the previous part`,
      'Call again with the same arguments without `skip`, and discard what you have of this order.',
    );
  }
  const entries = all.slice(skipped);
  if (skipped > 0 && entries[0]?.place !== skipped) throw wrongSkip('The order has fewer entries than `skip`');
  const requestsLeft = await call.client.requestsLeft();
  const answerWith = (fitting: number): object => {
    const end = wholeOrders(entries, fitting);
    const next = entries[end];
    const isSplit = next !== undefined && next.place > 0;
    const id = next && String(orders[next.index]?.id);
    const cut = endBefore(
      { ...part, gaps: [...part.gaps, ...gaps] },
      part.listed.find((order) => String(order.id) === id),
      isSplit,
    );
    const more = { ...args, skip: isSplit ? skipTo(all, next) : undefined };
    return {
      ...describePart(cut, argumentsForRest(cut, more), call, requestsLeft),
      skipped_without_codes: withoutCodes(cut),
      only_in_list: !part.range && orders.some(lacksListFields) ? listFields : undefined,
      products,
      ...tablesOf(entries.slice(0, end), codes),
    };
  };
  const fitting = entriesThatFit(Math.min(entries.length, maxEntries), (count) => call.fits(answerWith(count)));
  const inResult = entries.slice(0, wholeOrders(entries, fitting));
  call.record(
    inResult.flatMap(({ index }) => orders[index] ?? []),
    inResult.filter(({ code }) => code).length,
  );
  return answerWith(fitting);
};

/** Counts the orders that were skipped because they have no codes, by status. */
const withoutCodes = ({ unwanted, rest }: Part): object | undefined => {
  const skipped = unwanted.filter((order) => !rest || !isNotAbove(rest, order));
  const byStatus = Map.groupBy(skipped, ({ status }) => status);
  const counts = [...byStatus].map(([status, orders]) => [status, orders.length]);
  return unlessEmpty(counts) && Object.fromEntries(counts);
};
