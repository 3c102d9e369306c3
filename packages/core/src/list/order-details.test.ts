import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ErrorCode, OrderLicenseError } from '../base/errors.ts';
import { createDeadline } from '../base/stops.ts';
import type { Order } from '../model/order.ts';
import { createMovingList } from './moving-list.fixture.ts';
import { orderDetails } from './order-details.ts';
import type { ReadPage } from './slice.ts';

const reject = (status: 400 | 404) => new OrderLicenseError('invalid_response', { detail: 'rejected', status });
const ending: ErrorCode[] = ['authentication', 'not_business_account', 'aborted', 'rate_limited', 'configuration'];
const entry: ErrorCode[] = ['server', 'not_found', 'connection', 'timeout', 'invalid_response', 'bad_request'];

const noDeadline = createDeadline({ now: () => 0 }, Infinity);

const reads = (list: ReturnType<typeof createMovingList>, readOrder: (id: number) => Promise<Order>) => ({
  readPage: list.read,
  readOrder,
  deadline: noDeadline,
});

test('each order becomes one entry, wherever requests fail or the caller stops', async () => {
  const outcomes = fc.array(fc.option(fc.constantFrom(...ending, ...entry), { freq: 2 }), { maxLength: 300 });
  const stops = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.nat(180), outcomes, outcomes, stops, async (count, lists, orders, stopsAfter) => {
      const list = createMovingList({ orders: count, changes: [], oneMatchIn: 1 }, reject);
      const fail = (code: ErrorCode | null | undefined) => {
        if (code) throw new OrderLicenseError(code, { detail: 'failed' });
      };
      const readPage: ReadPage = async (query) => {
        fail(lists.pop());
        return list.read(query);
      };
      const readOrder = async (id: number): Promise<Order> => {
        fail(orders.pop());
        return { id, items: [] } as unknown as Order;
      };
      const walk = orderDetails({ ...reads(list, readOrder), readPage }, {});
      const ids: number[] = [];
      for (let isDone = false; !isDone; ) {
        let left = stopsAfter.pop() ?? Infinity;
        try {
          isDone = true;
          for await (const { summary, order, error } of walk) {
            ids.push(summary.id);
            expect(order?.id).toBe(error ? undefined : summary.id);
            left -= 1;
            isDone = left > 0;
            if (!isDone) break;
          }
        } catch (error) {
          isDone = false;
          if (!(error instanceof OrderLicenseError)) throw error;
        }
      }
      expect(ids).toEqual(list.stood().toReversed());
    }),
  );
});

test('an error thrown by the caller’s own function ends the walk', async () => {
  const list = createMovingList({ orders: 1, changes: [] }, reject);
  const readOrder = async () => ({ id: 1, items: [{ product_name: 'x' }] }) as unknown as Order;
  const reads = { readPage: list.read, readOrder, deadline: noDeadline };
  const productName = () => {
    throw new RangeError('mine');
  };
  await expect(orderDetails(reads, { productName }).next()).rejects.toThrow(RangeError);
});

test.each([null, [], {}, [null], [{ product_name: 7 }]])('items such as %j match no product [U-15]', async (items) => {
  const list = createMovingList({ orders: 1, changes: [] }, reject);
  const readOrder = async () => ({ id: 1, items }) as unknown as Order;
  const reads = { readPage: list.read, readOrder, deadline: noDeadline };
  expect(await orderDetails(reads, { productName: 'x' }).toArray({ limit: 9 })).toEqual([]);
});

test('a firewall’s 401 or 403 ends the walk at the first order, as a rejected key does [U-43]', async () => {
  for (const status of [401, 403]) {
    let sent = 0;
    const readOrder = async (): Promise<Order> => {
      sent += 1;
      throw new OrderLicenseError('invalid_response', { detail: 'blocked', status });
    };
    const walk = orderDetails(reads(createMovingList({ orders: 9, changes: [] }, reject), readOrder), {});
    await expect(walk.next()).rejects.toMatchObject({ status });
    expect(sent).toBe(1);
  }
});

const failing =
  (fails: (id: number, read: number) => ErrorCode | undefined, read: number[] = []) =>
  async (id: number): Promise<Order> => {
    read.push(id);
    const code = fails(id, read.length);
    if (code) throw Object.assign(new OrderLicenseError(code, { detail: 'down' }), { orderId: String(id) });
    return { id, items: [] } as unknown as Order;
  };

test('an order that cannot be read is an entry with an error, where it stands in the list', async () => {
  const list = createMovingList({ orders: 5, changes: [] }, reject);
  const readOrder = failing((id) => (id === 3 ? 'server' : undefined));
  const entries = await orderDetails(reads(list, readOrder), {}).toArray({ limit: 9 });
  expect(entries.map(({ summary, error }) => [summary.id, error?.code])).toEqual([
    [5, undefined],
    [4, undefined],
    [3, 'server'],
    [2, undefined],
    [1, undefined],
  ]);
});

test('the third order in a row that cannot be read ends the walk; orders that are not found do not count', async () => {
  const list = createMovingList({ orders: 20, changes: [] }, reject);
  const readOrder = failing((id) => (id === 14 ? 'not_found' : id < 16 ? 'server' : undefined));
  const walk = orderDetails(reads(list, readOrder), {});
  expect(await walk.toArray({ limit: 8 })).toHaveLength(8);
  await expect(walk.next()).rejects.toMatchObject({ code: 'server', oldest: '2026-01-01 00:00:12', orderId: '12' });
});

test('three broken neighbors do not block what is older if their IDs are skipped', async () => {
  const list = createMovingList({ orders: 130, changes: [], oneMatchIn: 1 }, reject);
  const readOrder = failing((id) => ([70, 71, 72].includes(id) ? 'server' : undefined));
  const known = new Set<string>();
  const broken = new Set<string>();
  let createdBefore: Date | undefined;
  let runs = 0;
  for (let isDone = false; !isDone; runs++) {
    const skip = ({ id }: { id: number }) => known.has(String(id)) || broken.has(String(id));
    const walk = orderDetails(reads(list, readOrder), { createdBefore, skip });
    try {
      for await (const { summary, error } of walk) (error ? broken : known).add(String(summary.id));
      isDone = true;
    } catch (error) {
      if (!(error instanceof OrderLicenseError)) throw error;
      createdBefore = error.createdBefore;
      if (error.orderId) broken.add(error.orderId);
    }
  }
  expect(runs).toBe(2);
  expect([...broken]).toEqual(['72', '71', '70']);
  expect(known.size).toBe(127);
});

test('a walk that failed in the middle of a page and of a second continues with `createdBefore` and `skip`, and misses no order', async () => {
  const failures = fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 180 }),
      fc.boolean(),
      failures,
      async (orders, shufflesTies, failsAt) => {
        const list = createMovingList({ orders, changes: [], sameTimes: true, shufflesTies, oneMatchIn: 1 }, reject);
        let requests = 0;
        const read: number[] = [];
        const readOrder = failing(() => {
          requests += 1;
          return failsAt.includes(requests) ? 'authentication' : undefined;
        }, read);
        const known = new Set<string>();
        let createdBefore: Date | undefined;
        for (let isDone = false; !isDone; ) {
          const skip = async ({ id }: { id: number }) => known.has(String(id));
          try {
            const walk = orderDetails(reads(list, readOrder), { createdBefore, skip });
            for await (const { summary } of walk) known.add(String(summary.id));
            isDone = true;
          } catch (error) {
            if (!(error instanceof OrderLicenseError)) throw error;
            // In JSON, as a program stores it.
            createdBefore = error.createdBefore && new Date(JSON.parse(JSON.stringify(error)).createdBefore);
          }
        }
        expect(known.size).toBe(orders);
        // Only an order whose request failed is read again.
        expect(read.length).toBe(
          orders + failsAt.filter((at, n) => at <= requests && failsAt.indexOf(at) === n).length,
        );
      },
    ),
  );
});

test('an error before the first entry has neither `oldest` nor `createdBefore`', async () => {
  const walk = orderDetails(
    reads(
      createMovingList({ orders: 3, changes: [] }, reject),
      failing(() => 'aborted'),
    ),
    {},
  );
  const error = await walk.next().catch((thrown: unknown) => thrown);
  expect(Object.keys(error as object)).not.toEqual(expect.arrayContaining(['oldest']));
  expect(Object.keys(error as object)).not.toEqual(expect.arrayContaining(['createdBefore']));
});

test('a skipped order is not read, and counts neither for `limit` nor as a failure', async () => {
  const list = createMovingList({ orders: 9, changes: [] }, reject);
  const read: number[] = [];
  const readOrder = failing((id) => (id === 8 || id === 6 ? 'server' : undefined), read);
  const skip = async ({ id }: { id: number }) => id % 2 === 1;
  const entries = await orderDetails(reads(list, readOrder), { skip, limit: 3 }).toArray({ limit: 9 });
  expect(entries.map(({ summary }) => summary.id)).toEqual([8, 6, 4]);
  expect(read).toEqual([8, 6, 4]);
});

test('a `skip` function that throws ends the walk, which continues with the same order', async () => {
  const list = createMovingList({ orders: 2, changes: [] }, reject);
  let calls = 0;
  const skip = async () => {
    calls += 1;
    if (calls === 2) throw new RangeError('mine');
    return false;
  };
  const walk = orderDetails(
    reads(
      list,
      failing(() => undefined),
    ),
    { skip },
  );
  await walk.next();
  await expect(walk.next()).rejects.toThrow(RangeError);
  expect((await walk.next()).value?.summary.id).toBe(1);
});

test('rejects a `skip` that is not a function before anything is read', () => {
  const list = createMovingList({ orders: 2, changes: [] }, reject);
  expect(() =>
    orderDetails(
      reads(
        list,
        failing(() => undefined),
      ),
      { skip: new Set() as never },
    ),
  ).toThrow(/`skip`/);
  expect(list.requests()).toBe(0);
});
