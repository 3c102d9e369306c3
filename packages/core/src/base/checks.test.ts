import { createInProcessHost } from '@order-license/testing/in-process-host';
import { expect, test } from 'vitest';
import { createClient } from '../client/client.ts';

const setUp = (options: object = {}) => {
  const { clock, mock, host } = createInProcessHost();
  const service = { baseUrl: 'https://shop.example/api/v1', apiKey: mock.keys.business };
  return { clock, mock, client: createClient({ ...service, host: host(mock.keys.business), ...options }) };
};

test('an unknown option of a walk or search is rejected before anything is sent', async () => {
  const { mock, client } = setUp();
  const wrong = { from: new Date() } as object;
  const detail = 'Unknown option `from`';
  expect(() => client.orders(wrong)).toThrow(detail);
  expect(() => client.orderDetails(wrong)).toThrow(detail);
  for (const call of ['totals', 'countByStatus'] as const) {
    await expect(client[call](wrong)).rejects.toMatchObject({ code: 'bad_request', detail });
  }
  await expect(client.findOrder('B-1', wrong)).rejects.toMatchObject({ detail });
  expect(mock.journal.total()).toBe(0);
});

test.each([
  ['null', null],
  ['a list', []],
  ['a signal in place of `{ signal }`', new AbortController().signal],
  ['a map', new Map([['limit', 1]])],
  ['a function', () => undefined],
])('rejects %s as options of a walk or search', async (_, wrong) => {
  const { mock, client } = setUp();
  const options = wrong as object;
  const calls = [
    () => client.findOrder('B-1', options),
    () => client.totals(options),
    () => client.countByStatus(options),
    async () => client.orders(options),
    async () => client.orderPages(options),
    async () => client.orderDetails(options),
  ];
  for (const call of calls) {
    const error = await call().catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'bad_request' });
    expect(error).not.toHaveProperty('sent');
  }
  expect(mock.journal.total()).toBe(0);
});

test('options may be class instances or objects without a prototype', async () => {
  class Page {
    page = 1;
    signal = new AbortController().signal;
  }
  const { clock, client } = setUp();
  for (const options of [new Page(), Object.assign(Object.create(null), { page: 1 })]) {
    await expect(clock.run(client.listOrders(options))).resolves.toHaveProperty('orders');
  }
});

test('the error for an unknown option of a walk over full orders lists all options', () => {
  const { client } = setUp();
  const advice = expect.stringContaining('productName, skipWithoutCodes');
  expect(() => client.orderDetails({ product: 'Office' } as object)).toThrow(expect.objectContaining({ advice }));
});
