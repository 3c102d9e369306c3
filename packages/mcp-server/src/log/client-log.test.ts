import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startSession, stderrOf } from '../testing/mcp-session.fixture.ts';

test('a field that differs from the API docs is reported once on stderr, without values, and returned [U-22 U-54]', async () => {
  const { client, mock, call } = await startSession({ mock: { set: { money: 'number', futureValues: 'on' } } });
  const stderr = stderrOf(client);
  for (let i = 0; i < 2; i++) expect((await call('list_orders')).isError).toBe(false);
  expect((await call('get_me')).isError).toBe(false);
  while (!stderr().includes('\n')) await setTimeout(5);
  const lines = stderr().split('\n').filter(Boolean);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /^order-license-mcp: listOrders: the answer differs from the API docs at .*orders\[\]\.gesamtpreis_brutto/,
  );
  expect(mock.journal.total()).toBe(3);
});
