import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startSession, stderrOf } from '../testing/mcp-session.fixture.ts';

test('a field that differs from the API docs is reported once on stderr, without values, and returned [U-22 U-54]', async () => {
  const { client, mock, call } = await startSession({
    ...{ mock: { set: { money: 'number', futureValues: 'on' } }, inOwnProcess: true },
  });
  const stderr = stderrOf(client);
  for (let i = 0; i < 2; i++) expect((await call('list_orders')).isError).toBe(false);
  expect((await call('get_me')).isError).toBe(false);
  while (!stderr().includes('\n')) await setTimeout(5);
  const lines = stderr().split('\n').filter(Boolean);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /^order-license-mcp: listOrders: the response differs from the API docs at .*orders\[\]\.gesamtpreis_brutto/,
  );
  expect(mock.journal.total()).toBe(3);
});

test("the line about an unexpected 429 contains the caller's traceparent", async () => {
  const { client, mock } = await startSession({ inOwnProcess: true });
  const stderr = stderrOf(client);
  mock.faults.add({ kind: '429', operation: 'me' });
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await client.callTool({ name: 'order_license_get_me', arguments: {}, _meta: { traceparent } });
  while (!stderr().includes('\n')) await setTimeout(5);
  expect(stderr()).toMatch(
    /^order-license-mcp: getMe: the API returned 429 .* \(traceparent 00-0af7651916cd.*-01\)\n$/,
  );
});
