import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ErrorCode, OrderLicenseError } from '../base/errors.ts';
import { createDeadline } from '../base/stops.ts';
import { errorOf } from '../client/virtual-client.fixture.ts';
import type { Order } from '../model/order.ts';
import { createMovingList, type MovingListOptions } from './moving-list.fixture.ts';
import { type OrderDetailsOptions, orderDetails } from './order-details.ts';

const ending: ErrorCode[] = ['authentication', 'not_business_account', 'aborted', 'rate_limited', 'configuration'];
const entry: ErrorCode[] = ['server', 'not_found', 'connection', 'timeout', 'invalid_response', 'bad_request'];

interface Failures {
  /** Returns the code of the error with which the n-th read of an order fails. */
  readFails?(id: number, n: number): ErrorCode | null | undefined;
  listFails?(): ErrorCode | null | undefined;
  items?: unknown;
}

/** A list, and the IDs of the orders that were read so far. */
const setUp = (options: MovingListOptions | number, { readFails, listFails, items = [] }: Failures = {}) => {
  const list = createMovingList(typeof options === 'number' ? { orders: options, oneMatchIn: 1 } : options);
  const read: number[] = [];
  const fail = (code: ErrorCode | null | undefined, fields = {}) => {
    if (code) throw Object.assign(new OrderLicenseError(code, { detail: 'failed' }), fields);
  };
  const reads = {
    async readPage(query: Parameters<typeof list.read>[0]) {
      fail(listFails?.());
      return list.read(query);
    },
    async readOrder(id: number) {
      read.push(id);
      fail(readFails?.(id, read.length), { orderId: String(id) });
      return { id, items } as unknown as Order;
    },
    deadline: createDeadline({ now: () => 0 }, Infinity),
  };
  return { list, read, reads, walk: (walkOptions: OrderDetailsOptions = {}) => orderDetails(reads, walkOptions) };
};

const ownError = (thrown: unknown): OrderLicenseError => {
  if (!(thrown instanceof OrderLicenseError)) throw thrown;
  return thrown;
};

test('each order becomes one entry, wherever requests fail or the caller stops', async () => {
  const outcomes = fc.array(fc.option(fc.constantFrom(...ending, ...entry), { freq: 2 }), { maxLength: 300 });
  const stops = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.nat(180), outcomes, outcomes, stops, async (count, lists, orders, stopsAfter) => {
      const { list, walk: start } = setUp(count, { listFails: () => lists.pop(), readFails: () => orders.pop() });
      const walk = start();
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
          isDone = !ownError(error);
        }
      }
      const stood = list.stood().map(({ id }) => id);
      expect(ids).toEqual(stood.toReversed());
    }),
  );
});

test('a walk that fails among orders of one second misses none if it continues with `createdBefore` and `skip`', async () => {
  const failures = fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 4 });
  const counts = fc.integer({ min: 1, max: 180 });
  await fc.assert(
    fc.asyncProperty(counts, fc.boolean(), failures, async (orders, shufflesTies, failsAt) => {
      const { read, walk } = setUp(
        { orders, sameTimes: true, shufflesTies },
        { readFails: (_, n) => (failsAt.includes(n) ? 'authentication' : undefined) },
      );
      const known = new Set<string>();
      const skip = async ({ id }: { id: number }) => known.has(String(id));
      let createdBefore: Date | undefined;
      for (let isDone = false; !isDone; ) {
        try {
          for await (const { summary } of walk({ createdBefore, skip })) known.add(String(summary.id));
          isDone = true;
        } catch (error) {
          // In JSON, as a program stores it.
          createdBefore = ownError(error).createdBefore && new Date(JSON.parse(JSON.stringify(error)).createdBefore);
        }
      }
      expect(known.size).toBe(orders);
      // Only an order whose request failed is read again.
      expect(read).toHaveLength(orders + failsAt.filter((n) => n <= read.length).length);
    }),
  );
});

test('three consecutive unreadable orders do not block older ones if their IDs are skipped', async () => {
  const { walk } = setUp(130, { readFails: (id) => ([70, 71, 72].includes(id) ? 'server' : undefined) });
  const known = new Set<string>();
  const broken = new Set<string>();
  const skip = ({ id }: { id: number }) => known.has(String(id)) || broken.has(String(id));
  const readAll = async (createdBefore?: Date) => {
    for await (const { summary, error } of walk({ createdBefore, skip })) {
      (error ? broken : known).add(String(summary.id));
    }
  };
  const { createdBefore, orderId = '' } = ownError(await readAll().catch((error: unknown) => error));
  broken.add(orderId);
  await readAll(createdBefore);
  expect([...broken]).toEqual(['72', '71', '70']);
  expect(known.size).toBe(127);
});

test.each([null, [], {}, [null], [{ product_name: 7 }]])('items such as %j match no product [U-15]', async (items) => {
  expect(await Array.fromAsync(setUp(1, { items }).walk({ productName: 'x' }))).toEqual([]);
});

test.each([401, 403])(
  'a firewall’s %i ends the walk at the first order, as a rejected key does [U-43]',
  async (status) => {
    const { read, reads } = setUp(9);
    const readOrder = async (id: number): Promise<Order> => {
      read.push(id);
      throw new OrderLicenseError('invalid_response', { detail: 'blocked', status });
    };
    await expect(orderDetails({ ...reads, readOrder }, {}).next()).rejects.toMatchObject({ status });
    expect(read).toHaveLength(1);
  },
);

test('the third order in a row that cannot be read ends the walk; orders that are not found do not count', async () => {
  const { walk: start } = setUp(20, {
    readFails: (id) => (id === 14 ? 'not_found' : id < 16 || id === 18 ? 'server' : undefined),
  });
  const walk = start();
  for (let entries = 0; entries < 8; entries++) expect(await walk.next()).toHaveProperty('done', false);
  await expect(walk.next()).rejects.toMatchObject({
    code: 'server',
    advice: expect.stringMatching(/Three orders in a row could not be read\.$/),
    oldest: '2026-01-01 00:00:12',
    orderId: '12',
  });
});

test('an error before the first entry has neither `oldest` nor `createdBefore`', async () => {
  const { walk } = setUp(3, { readFails: () => 'aborted' });
  const error = await errorOf(walk().next());
  for (const field of ['oldest', 'createdBefore']) expect(Object.keys(error as object)).not.toContain(field);
});

test('a skipped order is not read, and counts neither toward `limit` nor as a failure', async () => {
  const { read, walk } = setUp(9, { readFails: (id) => (id === 8 || id === 6 ? 'server' : undefined) });
  const skip = async ({ id }: { id: number }) => id % 2 === 1;
  const entries = await Array.fromAsync(walk({ skip, limit: 3 }));
  expect(entries.map(({ summary }) => summary.id)).toEqual([8, 6, 4]);
  expect(read).toEqual([8, 6, 4]);
});

test('an error thrown by the caller’s own function ends the walk, which continues with the same order', async () => {
  let calls = 0;
  const fail = () => {
    calls += 1;
    if (calls === 2) throw new RangeError('mine');
    return true;
  };
  const items = [{ product_name: 'x' }];
  for (const options of [{ productName: fail }, { skip: async () => !fail() }]) {
    calls = 0;
    const walk = setUp(2, { items }).walk(options);
    await walk.next();
    await expect(walk.next()).rejects.toThrow(RangeError);
    expect((await walk.next()).value?.summary.id).toBe(1);
  }
});
