import { expect, test } from 'vitest';
import type { OrderDetail, OrderDetailsOptions } from '../list/order-details.ts';
import { setUpVirtual } from './virtual-client.fixture.ts';

const setUp = () => {
  const mockOptions = { orders: 60, set: { limit: 'off' }, journalSize: 10_000 } as const;
  const { clock, mock, client } = setUpVirtual({ rateLimit: { requests: 10_000, minGapMs: 0 } }, mockOptions);
  const read = (walk: OrderDetailsOptions = {}) => clock.run(Array.fromAsync(client.orderDetails(walk)));
  const summaries = () => clock.run(Array.fromAsync(client.orders()));
  return { mock, client, read, summaries };
};
const idsOf = (details: OrderDetail[]) => details.map(({ summary }) => summary.id);

test('keeps only orders with an item that matches a case-insensitive string or a function', async () => {
  const { mock, read } = setUp();
  const { id } = mock.state.insertOrder('business', { items: [{ product_name: 'Sonderheft 7' }] });
  expect(idsOf(await read({ productName: (name) => name === 'Sonderheft 7' }))).toEqual([id]);
  expect(idsOf(await read({ productName: ' SONDERHEFT ' }))).toEqual([id]);
  expect(await read({ productName: 'no such product' })).toEqual([]);
});

test('`skipWithoutCodes` skips orders that cannot have codes [S-37]', async () => {
  const { mock, read, summaries } = setUp();
  const withCodes = (await summaries()).filter(({ status }) => status === 'bezahlt' || status === 'abgeschlossen');
  const before = mock.journal.total();
  expect(idsOf(await read({ skipWithoutCodes: true }))).toEqual(withCodes.map(({ id }) => id));
  expect(mock.journal.total() - before).toBe(withCodes.length + 2);
});

test.each([{ productName: '' }, { productName: 7 }, { skip: [] }, { limit: 0 }, { status: 'paid' }])(
  'rejects the options %o before anything is sent',
  (options) => {
    const { client, mock } = setUp();
    expect(() => client.orderDetails(options as never)).toThrow(expect.objectContaining({ code: 'bad_request' }));
    expect(mock.journal.total()).toBe(0);
  },
);
