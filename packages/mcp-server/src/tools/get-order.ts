import { orderShape } from '@order-license/core/masking';
import { isOrderLicenseError, type Order, type OrderId, OrderLicenseError } from '@order-license/core/portable';
import * as z from 'zod';
import { codePage, countCodes, maxPlainCodes, withoutCodes } from '../answers/code-pages.ts';
import { wholeNumber } from './arguments.ts';
import { findOrderByNumber } from './find-order-by-number.ts';
import { askedOrderId, orderId } from './order-id.ts';
import { orderNumber } from './order-number.ts';
import { maxIds, readOrders } from './read-orders.ts';
import { type Answer, defineTool, shapedAnswer, type ToolCall } from './tool.ts';

const exactlyOne = 'Pass exactly one of `id` (from list_orders), `ids` (up to 20) or `order_number` (bestellnummer)';
const notIds = `\`ids\` must be a list of 1 to ${maxIds} whole numbers, each an \`id\` from list_orders`;

export const getOrder = defineTool({
  name: 'get_order',
  title: 'Read order',
  description:
    'Reads orders with positions, license codes and download URLs. For one order, pass id (1 request) or order_number (up to 15); for several, up to 20 ids (1 each). Only bezahlt and abgeschlossen orders have codes, which may arrive later: an empty list is normal. If an order has more than 50 codes, they come in pages of about 400, grouped by shared fields; continue has the next arguments. With ids, an answer has up to 50 codes in total; read_codes_with has the arguments for the rest. A download URL is null if the variant does not exist. If code_typ is account, license_key is a login such as user:password. not_found: the order does not exist in this account. not_located: the order is not at its expected place in the list but may exist.',
  input: z.strictObject(
    {
      id: askedOrderId.optional().describe('id from list_orders'),
      order_number: orderNumber.optional().describe('bestellnummer'),
      ids: z.array(askedOrderId, { error: notIds }).min(1, { error: notIds }).max(maxIds, { error: notIds }).optional(),
      code_page: wholeNumber('`code_page` must be a whole number from 1 up', Number.MAX_SAFE_INTEGER)
        .optional()
        .describe('For orders with more than 50 codes; default 1'),
      codes: z
        .boolean({ error: '`codes` must be true or false' })
        .optional()
        .describe('false: number_of_codes instead of the codes'),
    },
    { error: exactlyOne },
  ),
  output: z
    .looseObject({ id: orderId.optional() })
    .describe(
      'id, bestellnummer, status, gesamtpreis_brutto, waehrung, billing_address, items: list of product_name, menge (quantity), einzelpreis_brutto (gross unit price, decimal string), license_codes: list of license_key, code_typ (retail, volumen, account or abo), download_url_64, download_url_32, aktivierungen_bestellung (activations allowed). With ids: orders, a list of these',
    ),
  documented: orderShape,
  hasCard: true,
  async run({ id, order_number, ids, code_page, codes = true }, call) {
    const given = [id, order_number, ids].filter((value) => value !== undefined);
    if (given.length !== 1) throw new OrderLicenseError('bad_request', { detail: exactlyOne });
    if (!codes && code_page !== undefined) {
      throw new OrderLicenseError('bad_request', {
        detail: '`code_page` cannot be combined with `codes` false',
        advice: 'Leave one of them out.',
      });
    }
    if (ids) {
      if (code_page === undefined) return readOrders(ids, codes, call);
      throw new OrderLicenseError('bad_request', {
        detail: '`code_page` works with one order only',
        advice: 'Pass its `id` instead of `ids`.',
      });
    }
    const order = id === undefined ? await findOrderByNumber(order_number ?? '', call) : await readById(id, call);
    return codes ? answerWithCodes(order, code_page) : shapedAnswer(order, withoutCodes);
  },
});

const readById = async (id: OrderId, { client, signal }: ToolCall): Promise<Order> => {
  try {
    return await client.getOrder(id, { signal });
  } catch (error) {
    if (!isOrderLicenseError(error) || error.code !== 'not_found') throw error;
    throw error.addAdvice(`If ${id} is an order number, pass it as order_number.`);
  }
};

/** The order unchanged, or with one page of its codes if it has many. */
const answerWithCodes = (order: Order, page = 1): Answer => {
  const codes = countCodes(order);
  if (codes <= maxPlainCodes) {
    if (page > 1) throw noSuchPage(page, 1, codes);
    return { data: order };
  }
  return shapedAnswer(order, (shown) => {
    const codesOfPage = codePage(shown, page);
    if (!codesOfPage) throw noSuchPage(page, codePage(shown, 1)?.pages ?? 1, codes);
    const { left, pages, total, codes: groups } = codesOfPage;
    const { id, bestellnummer, status } = shown;
    return {
      ...(page === 1 ? withoutCodes(shown) : { id, bestellnummer, status }),
      license_codes: groups,
      code_page: page,
      code_pages: pages,
      codes: total,
      codes_left: left,
      ...(left > 0 && { continue: { id: order.id, code_page: page + 1 } }),
    };
  });
};

const noSuchPage = (page: number, pages: number, codes: number): OrderLicenseError =>
  new OrderLicenseError('bad_request', {
    detail: `Code page ${page} does not exist: the order has ${codes} license codes, and \`code_page\` goes up to ${pages}`,
  });
