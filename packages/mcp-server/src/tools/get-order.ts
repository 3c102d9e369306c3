import { isOrderLicenseError, OrderLicenseError } from '@order-license/core/portable';
import * as z from 'zod';
import { field, orderId } from './answer-fields.ts';
import { wholeNumber } from './arguments.ts';
import { findOrderByNumber } from './find-order-by-number.ts';
import { defineTool, type ToolCall } from './tool.ts';

const exactlyOne = 'Give exactly one of `id` (from list_orders) and `order_number` (bestellnummer).';

/** As plain JSON Schema without types: it describes what should be there and refuses nothing. */
const licenseCode = {
  license_key: {},
  code_typ: { description: 'retail, volumen, account or abo' },
  download_url_64: {},
  download_url_32: {},
  aktivierungen_bestellung: { description: 'activations allowed' },
};
const item = {
  product_name: {},
  menge: { description: 'quantity' },
  einzelpreis_brutto: { description: 'gross unit price, decimal string' },
  license_codes: { items: { properties: licenseCode } },
};

export const getOrder = defineTool({
  name: 'get_order',
  title: 'Read order',
  description:
    'Reads one order with positions, license keys and download URLs. Give exactly one of id and order_number; prefer id. By id it costs 1 of 60 requests per minute; by order_number up to 11, since it searches the newest 500 orders. License keys exist only in orders that are bezahlt (paid) or abgeschlossen (completed) and may arrive later: an empty list is no error.',
  input: z.strictObject(
    {
      id: wholeNumber(
        '`id` has to be the whole number that list_orders gives as id; an order number goes into `order_number`.',
        Number.MAX_SAFE_INTEGER,
      )
        .optional()
        .describe('id from list_orders'),
      order_number: z
        .string({ error: '`order_number` has to be a string.' })
        .trim()
        .min(1, { error: '`order_number` is empty; give the bestellnummer of the order.' })
        .max(100, { error: '`order_number` is longer than 100 characters; give the bestellnummer alone.' })
        .optional()
        .describe('bestellnummer'),
    },
    { error: exactlyOne },
  ),
  output: z.looseObject({
    id: orderId,
    bestellnummer: field('order number'),
    status: field(),
    gesamtpreis_brutto: field('gross total, decimal string'),
    waehrung: field('currency'),
    items: field().meta({ items: { properties: item } }),
    billing_address: field(),
  }),
  async run({ id, order_number }, call) {
    if (id !== undefined && order_number === undefined) return readById(id, call);
    if (id === undefined && order_number !== undefined) return findOrderByNumber(order_number, call);
    throw new OrderLicenseError('bad_request', exactlyOne);
  },
});

const readById = async (id: number, { client, signal }: ToolCall): Promise<object> => {
  try {
    return await client.getOrder(id, { signal });
  } catch (error) {
    if (!isOrderLicenseError(error) || error.code !== 'not_found') throw error;
    const { code, message, status, serverText } = error;
    throw new OrderLicenseError(code, `${message} If ${id} is an order number, pass it as order_number.`, {
      status,
      serverText,
    });
  }
};
