import { isOrderLicenseError, type OrderId, OrderLicenseError, orderShape } from '@order-license/core/portable';
import * as z from 'zod';
import { findOrderByNumber } from './find-order-by-number.ts';
import { askedOrderId, orderId } from './order-id.ts';
import { orderNumber } from './order-number.ts';
import { defineTool, type ToolCall } from './tool.ts';

const exactlyOne = 'Give exactly one of `id` (from list_orders) and `order_number` (bestellnummer)';

export const getOrder = defineTool({
  name: 'get_order',
  title: 'Read order',
  description:
    'Reads one order with positions, license keys and download URLs. Give exactly one of id and order_number; prefer id. By id it costs 1 of 60 requests per minute; by order_number up to 15, since it searches the list. License keys exist only in orders that are bezahlt (paid) or abgeschlossen (completed) and may arrive later: an empty list is no error.',
  input: z.strictObject(
    {
      id: askedOrderId.optional().describe('id from list_orders'),
      order_number: orderNumber.optional().describe('bestellnummer'),
    },
    { error: exactlyOne },
  ),
  output: z
    .looseObject({ id: orderId })
    .describe(
      'id, bestellnummer (order number), status, gesamtpreis_brutto (gross total, decimal string), waehrung (currency), billing_address, items: list of product_name, menge (quantity), einzelpreis_brutto (gross unit price, decimal string), license_codes: list of license_key, code_typ (retail, volumen, account or abo), download_url_64, download_url_32, aktivierungen_bestellung (activations allowed)',
    ),
  documented: { ...orderShape, orders: [orderShape] },
  async run({ id, order_number }, call) {
    if (id !== undefined && order_number === undefined) return readById(id, call);
    if (id === undefined && order_number !== undefined) return findOrderByNumber(order_number, call);
    throw new OrderLicenseError('bad_request', { detail: exactlyOne });
  },
});

const readById = async (id: OrderId, { client, signal }: ToolCall): Promise<object> => {
  try {
    return await client.getOrder(id, { signal });
  } catch (error) {
    if (!isOrderLicenseError(error) || error.code !== 'not_found') throw error;
    throw error.addAdvice(`If ${id} is an order number, pass it as order_number.`);
  }
};
