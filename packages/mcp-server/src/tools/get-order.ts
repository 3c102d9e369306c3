import { listOf, orderShape } from '@order-license/core/masking';
import {
  hasLicenseCodes,
  isOrderLicenseError,
  type Order,
  type OrderId,
  OrderLicenseError,
  type OrderSummary,
} from '@order-license/core/portable';
import * as z from 'zod';
import { describePart } from '../answers/describe-part.ts';
import { fillsAnswer, isSmall, type Selection, showOrders } from '../answers/order-tables.ts';
import { argumentsOf, type RangeQuery, rangeArguments, readRangeArguments } from '../read/range.ts';
import { maxReads, type ReadOrders, readOrders, withListEntry } from '../read/read-orders.ts';
import { maxListRequests, type RangePart, readRange } from '../read/read-range.ts';
import { askedOrderId, flag, orderId, orderNumber, productName, wholeNumber } from './arguments.ts';
import { findOrderByNumber } from './find-order-by-number.ts';
import { type Answer, defineTool, shapedAnswer, type ToolCall } from './tool.ts';

const oneChoice =
  'Pass one of `id` (from list_orders), `order_number` (bestellnummer), `ids` (up to 100), or `created_from` and `created_before`';
const notIds = '`ids` must be a list of 1 to 100 whole numbers, each an `id` from list_orders';

const input = z.strictObject(
  {
    id: askedOrderId.optional().describe('id from list_orders'),
    order_number: orderNumber.optional().describe('bestellnummer'),
    ids: z.array(askedOrderId, { error: notIds }).min(1, { error: notIds }).max(100, { error: notIds }).optional(),
    ...rangeArguments,
    product: productName.optional().describe('Only items whose name contains this, and their codes'),
    codes: flag('codes').optional().describe('false: number_of_codes instead of the codes'),
    code_page: wholeNumber('`code_page` must be a whole number from 1 up').optional().describe('Only from continue'),
  },
  { error: oneChoice },
);
type Arguments = z.output<typeof input>;

export const getOrder = defineTool({
  name: 'get_order',
  title: 'Read orders',
  description: `Reads orders with items, license codes and download URLs. Pass id (1 request) or order_number (up to 15, any case) for one order, ids for several, or dates for every order of a period that can have codes (1 request each); with codes false, every order. For one product, pass product with the dates: nothing of others is returned. Only bezahlt and abgeschlossen orders have codes, which may arrive later: an empty list is normal. Several or long orders come as tables as in list_orders; prefix goes before the values of its column; items name their order, codes their item. If complete is false, call again with the arguments in continue. A download URL is null if the variant does not exist. If code_typ is account, license_key is a login such as user:password. not_located: the order may exist, but not where expected in the list.`,
  input,
  output: z
    .looseObject({ id: orderId.optional() })
    .describe(
      'One order: id, bestellnummer, status, gesamtpreis_brutto, waehrung, billing_address, items: list of product_name, menge (quantity), einzelpreis_brutto (gross unit price, decimal string), license_codes: list of license_key, code_typ (retail, volumen, account or abo), download_url_64, download_url_32, aktivierungen_bestellung (activations allowed). Otherwise tables: orders, items, license_codes',
    ),
  documented: { orders: listOf(orderShape) },
  hasCard: true,
  async run(args, call) {
    const range = readRangeArguments(args);
    checkChoice(args, range);
    const selection: Selection = { product: args.product, codes: args.codes ?? true, page: args.code_page ?? 1 };
    const { id, order_number, ids } = args;
    if (id !== undefined) return showRead({ orders: [await readById(id, call)] }, selection);
    if (order_number !== undefined) {
      return showRead({ orders: [await findOrderByNumber(order_number, call)] }, selection);
    }
    const isEnough = (orders: readonly Order[]): boolean => fillsAnswer(orders, selection);
    if (ids) {
      const read = await readOrders(ids, call, isEnough);
      if (read.interruption && read.orders.length + read.failed.length === 0) throw read.interruption;
      return showRead({ ...read, requests: call.requests(), rest: range.from && range }, selection);
    }
    const part = await readRange(range, { maxOrders: maxReads, maxRequests: maxListRequests }, call);
    const wanted = part.orders.filter((order) => !selection.codes || canHaveCodes(order, range));
    const read = await readOrders(idsOf(wanted), call, isEnough);
    const listed = new Map(wanted.map((order) => [String(order.id), order]));
    const orders = read.orders.map((order) => withListEntry(order, listed.get(String(order.id))));
    const { continueBefore } = part;
    const rest = continueBefore === undefined ? undefined : { ...range, before: new Date(continueBefore) };
    return showRead({ ...read, orders, requests: call.requests(), range, part, rest }, selection);
  },
});

/** @throws `bad_request` for arguments that contradict each other */
const checkChoice = ({ id, order_number, ids, code_page }: Arguments, { from, before }: RangeQuery): void => {
  const chosen = [id, order_number, ids].filter((value) => value !== undefined).length;
  const [hasRange, hasDate] = [from && before, from ?? before];
  // `ids` with a range, as in `continue`: the IDs first, and then the range.
  const isOne = chosen === 1 && (ids ? !hasDate || hasRange : !hasDate);
  if (!isOne && !(chosen === 0 && hasRange)) throw new OrderLicenseError('bad_request', { detail: oneChoice });
  if (chosen === 0 && code_page !== undefined) {
    throw new OrderLicenseError('bad_request', {
      detail: '`code_page` needs `id`, `order_number` or `ids`',
      advice: 'Use the arguments in `continue`.',
    });
  }
};

/** Orders of a status that the API docs don't name may have codes. */
const canHaveCodes = ({ status }: OrderSummary, { statuses }: RangeQuery): boolean =>
  statuses !== undefined || hasLicenseCodes(status) !== false;

const idsOf = (orders: readonly { id: OrderId }[]): OrderId[] => orders.map(({ id }) => id);

const readById = async (id: OrderId, { client, signal }: ToolCall): Promise<Order> => {
  try {
    return await client.getOrder(id, { signal });
  } catch (error) {
    if (!isOrderLicenseError(error) || error.code !== 'not_found') throw error;
    throw error.addAdvice(`If ${id} is an order number, pass it as order_number.`);
  }
};

/** What a call has read. */
interface ReadPart extends Partial<ReadOrders> {
  orders: Order[];
  /** Of the call; unset for a single order. */
  requests?: number;
  range?: RangeQuery;
  part?: RangePart;
  /** The part of the range that is still to be listed. */
  rest?: RangeQuery | undefined;
}

/** A single order as the API sends it if it is whole and small; anything else as tables, with how to continue first. */
const showRead = (read: ReadPart, selection: Selection): Answer =>
  shapedAnswer({ orders: read.orders }, ({ orders }) => {
    const [order] = orders;
    const { product, codes, page } = selection;
    const isPlain = read.requests === undefined && product === undefined && codes && order && isSmall(order);
    if (isPlain && page === 1) return order;
    const { tables, next, pages, codesLeft } = showOrders(orders, selection);
    if (page > 1 && (isPlain || page > pages)) throw noSuchPage(page, isPlain ? 1 : pages);
    const left = [...idsOf(next ? read.orders.slice(next.index) : []), ...(read.left ?? [])];
    const { failed = [], rest, range, part, interruption, requests } = read;
    const goOn = {
      ...(left.length > 0 && { ids: left }),
      ...(next && next.page > 1 && { code_page: next.page }),
      ...(rest && argumentsOf(rest)),
      ...(product !== undefined && { product }),
      ...(!codes && { codes }),
    };
    return {
      ...describePart({
        range,
        part,
        interruption,
        requests,
        failed,
        next: left.length > 0 || rest ? goOn : undefined,
      }),
      ...(left.length > 0 && { orders_left: left.length }),
      ...(codesLeft > 0 && { codes_left: codesLeft }),
      ...tables,
    };
  });

const noSuchPage = (page: number, pages: number): OrderLicenseError =>
  new OrderLicenseError('bad_request', {
    detail: `Code page ${page} does not exist: \`code_page\` goes up to ${pages}`,
  });
