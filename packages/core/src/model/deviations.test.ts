import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { setUpVirtual } from '../client/virtual-client.fixture.ts';
import { orderListSchema, orderSchema, userSchema } from '../schema.ts';
import { findDeviations } from './deviations.ts';
import type { Form, Shape } from './form.ts';
import { orderListShape, orderShape, orderSummaryShape, userShape } from './order.ts';

test('reports deviations from the API docs by path, never by value, and returns the response unchanged [U-22 U-59]', async () => {
  const { clock, mock, requests, events, client } = setUpVirtual({}, { licenseKeyPrefix: 'CANARY-' });
  const paths = () => events.flatMap((event) => (event.type === 'deviation' ? event.paths : []));
  const { orders } = await clock.run(client.listOrders({ status: 'bezahlt', perPage: 10 }));
  expect([...requests, ...events].map(({ type }) => type)).toEqual(['request']);
  mock.set({ money: 'number', nulls: ['license_codes[].license_key', 'items[].product_name'] });
  for (const { id } of orders) {
    expect((await clock.run(client.getOrder(id))).gesamtpreis_brutto).toBeTypeOf('number');
  }
  for (const path of ['gesamtpreis_brutto', 'items.0.einzelpreis_brutto', 'items.0.license_codes.0.license_key'])
    expect(paths()).toContain(path);
  expect(inspect([requests, events], { depth: 9 })).not.toContain('CANARY');
});

test('reports each field whose form differs from the API docs', () => {
  const order = {
    ...Object.fromEntries(Object.keys(orderSummaryShape).map((name) => [name, false])),
    ...{ id: 'x', bestellnummer: 1, status: 'paid', zahlungsstatus: null, gesamtpreis_brutto: '1,00' },
    ...{ waehrung: 'Euro', created_at: '2026-02-30 00:00:00', lieferstatus: true },
  };
  const pagination = { page: 1.5, per_page: '20', total: null, pages: 1 };
  const paths = findDeviations({ orders: [order], pagination }, orderListShape);
  expect(paths).toEqual([
    ...Object.keys(order).map((name) => `orders.0.${name}`),
    ...['page', 'per_page', 'total'].map((name) => `pagination.${name}`),
  ]);
});

test('stops reading after twenty deviations', () => {
  let read = 0;
  const order = {
    get id() {
      read += 1;
      return 'x';
    },
  };
  const orders = Array(1_000).fill(order);
  expect(findDeviations({ orders, pagination: {} }, orderListShape)).toHaveLength(20);
  expect(read).toBeLessThanOrEqual(20);
});

/** Generates values mostly of this form. */
const valuesOf = ({ is, shape = {}, element }: Form): fc.Arbitrary<unknown> => {
  const texts = ['', '1', '1.0', '-1.00', 'EUR', 'bezahlt', 'abo', '2026-02-28 00:00:00', '2026-02-30 00:00:00'];
  const integerOrText = is(1) ? fc.oneof(fc.integer(), fc.double()) : fc.constantFrom(...texts);
  const simpleOrObject = is({}) ? objectsOf(shape) : integerOrText;
  const arbitrary = element ? fc.array(valuesOf(element), { maxLength: 3 }) : simpleOrObject;
  return fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: odd });
};
const odd = fc.constantFrom<unknown>(undefined, null, true, 1, 1.5, '9', [], {}, [[]]);
const objectsOf = (shape: Shape): fc.Arbitrary<object> =>
  fc.record(Object.fromEntries(Object.entries(shape).map(([name, form]) => [name, valuesOf(form)])), {
    requiredKeys: [],
  });

test.each([
  { name: 'account', fields: userShape, schema: userSchema },
  { name: 'list', fields: orderListShape, schema: orderListSchema },
  { name: 'order', fields: orderShape, schema: orderSchema },
])('reports the same paths as the schema: $name', ({ fields, schema }) => {
  fc.assert(
    fc.property(objectsOf(fields), (response) => {
      const issues = schema.safeParse(response).error?.issues ?? [];
      const paths = new Set(issues.map(({ path }) => path.join('.')));
      expect(findDeviations(response, fields)).toEqual([...paths].slice(0, 20));
    }),
    { numRuns: 300 },
  );
});
