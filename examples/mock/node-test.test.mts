import { deepEqual, equal } from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { listen } from '@order-license/mock-api';

const mock = await listen();
beforeEach(() => mock.reset());
after(() => mock.close());

// A placeholder for your client, which needs the mock's base URL and an API key.
const listOrders = () =>
  fetch(`${mock.baseUrl}/orders`, {
    headers: { authorization: `Bearer ${mock.keys.business}`, accept: 'application/json' },
  });

test('reads a page of orders', async () => {
  equal((await listOrders()).status, 200);
  deepEqual(mock.journal.violations(), []);
});

test('receives one 500, then a page of orders', async () => {
  mock.faults.add({ kind: '500', operation: 'list' });
  equal((await listOrders()).status, 500);
  equal((await listOrders()).status, 200);
});
