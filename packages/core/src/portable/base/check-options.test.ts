import { createInProcessHost } from '@order-license/testing/in-process-host';
import { expect, test } from 'vitest';
import { createClient } from '../client/client.ts';

const setUp = (options: object = {}) => {
  const { mock, host } = createInProcessHost();
  const service = { baseUrl: 'https://shop.example/api/v1', apiKey: mock.keys.business };
  return { mock, client: createClient({ ...service, host: host(mock.keys.business), ...options }) };
};

test('an unknown option of a client is a configuration error that lists the options', () => {
  expect(() => setUp({ timeout: 5 })).toThrow(
    expect.objectContaining({
      code: 'configuration',
      detail: 'There is no option `timeout`',
      advice: expect.stringContaining('timeoutMs'),
    }),
  );
});

test('an unknown option of a call is refused before anything is sent', async () => {
  const { mock, client } = setUp();
  const wrong = { from: new Date() } as object;
  const detail = 'There is no option `from`';
  expect(() => client.orders(wrong)).toThrow(detail);
  expect(() => client.orderDetails(wrong)).toThrow(detail);
  for (const call of ['getMe', 'listOrders', 'totals', 'countByStatus'] as const) {
    await expect(client[call](wrong)).rejects.toMatchObject({ code: 'bad_request', detail });
  }
  await expect(client.getOrder(1, wrong)).rejects.toMatchObject({ detail });
  await expect(client.findOrder('B-1', wrong)).rejects.toMatchObject({ detail });
  expect(mock.journal.total()).toBe(0);
});

test('a name that could be a key is not repeated', () => {
  expect(() => setUp({ 'sk-1234 5678': true })).toThrow('There is no option with this name.');
});
