import { expect, test } from 'vitest';
import { serveEach, service } from '../shared/service.fixture';
import getMeSchema from './__schema__/v1.0.0/account/getMe.json';
import getOrderSchema from './__schema__/v1.0.0/order/getOrder.json';
import listOrdersSchema from './__schema__/v1.0.0/order/listOrders.json';
import { orderBy, run } from './run-node.fixture';

serveEach({ limit: 'off' });

interface Schema {
  type: string;
  properties?: Record<string, Schema>;
  items?: Schema;
}

const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};

/**
 * Expects a value with exactly the fields that the schema lists, if it lists any. Null is always accepted, because it
 * stands for a missing value.
 */
const expectShape = (value: unknown, schema: Schema): void => {
  if (value === null) return;
  expect(typeOf(value)).toBe(schema.type);
  if (Array.isArray(value)) for (const element of value) expectShape(element, schema.items as Schema);
  if (!schema.properties) return;
  expect(Object.keys(value as object)).toEqual(Object.keys(schema.properties));
  for (const [name, inner] of Object.entries(schema.properties)) {
    expectShape((value as Record<string, unknown>)[name], inner);
  }
};

test('the default output matches the output schemas', async () => {
  for (const { json } of await run(service, 'getMe')) expectShape(json, getMeSchema);
  const listed = await run(service, 'listOrders');
  for (const { json } of listed) expectShape(json, listOrdersSchema);
  for (const { json } of listed.slice(0, 15)) {
    for (const order of await run(service, 'getOrder', orderBy('list', json.orderId)))
      expectShape(order.json, getOrderSchema);
  }
});
