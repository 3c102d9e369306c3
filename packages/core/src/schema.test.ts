import { inspect } from 'node:util';
import { createInProcessHost } from '@order-license/testing/in-process-host';
import { expect, test } from 'vitest';
import type { ClientEvent } from './index.ts';
import { createClient } from './portable.ts';
import { findDeviations } from './schema.ts';

test('reports deviations from the API docs by path, never by value, and returns the answer unchanged [U-22 U-59]', async () => {
  const { clock, mock, host } = createInProcessHost({ licenseKeyPrefix: 'CANARY-' });
  const apiKey = mock.keys.business;
  const events: ClientEvent[] = [];
  const client = createClient({
    baseUrl: 'https://deviations.example/api/v1',
    apiKey,
    host: host(apiKey),
    findDeviations,
    onEvent: (event) => event.type !== 'request' && events.push(event),
  });
  const { orders } = await clock.run(client.listOrders({ status: 'bezahlt', perPage: 50 }));
  expect(events).toEqual([]);
  mock.set({ money: 'number', nulls: ['license_codes[].license_key', 'items[].product_name'] });
  for (const { id } of orders) await clock.run(client.getOrder(id));
  const paths = events.flatMap((event) => (event.type === 'deviation' ? event.paths : []));
  expect(paths).toContain('gesamtpreis_brutto');
  expect(paths).toContain('items.0.einzelpreis_brutto');
  expect(paths).toContain('items.0.license_codes.0.license_key');
  expect(inspect(events, { depth: 9 })).not.toContain('CANARY');
});

test('reports at most twenty paths', () => {
  const orders = Array.from({ length: 50 }, () => ({}));
  expect(findDeviations('listOrders', { orders, pagination: {} })).toHaveLength(20);
});

test('reports each field that has another form than documented', () => {
  const order = {
    ...{ id: 'x', bestellnummer: 1, status: 'paid', zahlungsstatus: null, gesamtpreis_brutto: '1,00' },
    ...{ waehrung: 'Euro', created_at: '2026-02-30 00:00:00', lieferstatus: true },
  };
  const pagination = { page: 1.5, per_page: '20', total: null, pages: 1 };
  const paths = findDeviations('listOrders', { orders: [order], pagination });
  expect(paths).toEqual([
    ...Object.keys(order).map((name) => `orders.0.${name}`),
    ...['page', 'per_page', 'total'].map((name) => `pagination.${name}`),
  ]);
});
