import { createInProcessHost } from '@order-license/testing/in-process-host';
import { expect, test } from 'vitest';
import type { WalkPosition } from '../base/walk-position.ts';
import { createClient } from './client.ts';

let made = 0;

const setUp = async () => {
  const { clock, mock, host } = createInProcessHost({ orders: 120, set: { limit: 'off' } });
  const baseUrl = `https://owner-${++made}.example/api/v1`;
  const clientOf = (apiKey: string, url = baseUrl) => createClient({ baseUrl: url, apiKey, host: host(apiKey) });
  const walk = clientOf(mock.keys.business).orders();
  await clock.run(walk.toArray({ limit: 70 }));
  const position: WalkPosition = JSON.parse(JSON.stringify(walk.position));
  return { clock, mock, baseUrl, clientOf, position };
};

test('a walk can be resumed with a different key of the same account', async () => {
  const { clock, mock, clientOf, position } = await setUp();
  const rest = clientOf(mock.keys.businessSecond).orders({ position });
  expect(await clock.run(rest.toArray({ limit: 999 }))).toHaveLength(50);
});

test('rejects a position from a different account before it returns an order', async () => {
  const { clock, mock, clientOf, position } = await setUp();
  const resumed = clientOf(mock.keys.otherAccount).orders({ position });
  await expect(clock.run(resumed.next())).rejects.toMatchObject({
    code: 'bad_request',
    detail: '`position` belongs to a different account',
  });
});

test('rejects a walk position created for another base URL before anything is sent', async () => {
  const { mock, baseUrl, clientOf, position } = await setUp();
  const sent = mock.journal.total();
  const other = clientOf(mock.keys.business, baseUrl.replace('owner', 'other'));
  expect(() => other.orders({ position })).toThrow(expect.objectContaining({ code: 'bad_request' }));
  expect(() => other.orderDetails({ position: { ...position, details: undefined } })).toThrow();
  expect(mock.journal.total()).toBe(sent);
});

test('a position contains no part of the API key', async () => {
  const { mock, position } = await setUp();
  expect(position.owner).toMatch(/^[0-9a-z]{1,7}\.[0-9a-z]{1,7}$/);
  expect(JSON.stringify(position)).not.toContain(mock.keys.business.slice(-8));
});
