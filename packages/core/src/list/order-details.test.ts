import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ErrorCode, OrderLicenseError } from '../base/errors.ts';
import type { Order } from '../model/order.ts';
import { createMovingList } from './moving-list.fixture.ts';
import { orderDetails } from './order-details.ts';
import type { ReadPage } from './window.ts';

const reject = (status: 400 | 404) => new OrderLicenseError('invalid_response', { detail: 'rejected', status });
const ending: ErrorCode[] = ['authentication', 'not_business_account', 'aborted', 'rate_limited', 'configuration'];
const entry: ErrorCode[] = ['server', 'not_found', 'connection', 'timeout', 'invalid_response', 'bad_request'];

test('each order becomes one entry, with an error only after two failures, wherever requests fail or the caller stops', async () => {
  const outcomes = fc.array(fc.option(fc.constantFrom(...ending, ...entry), { freq: 2 }), { maxLength: 300 });
  const stops = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      fc.nat(180),
      outcomes,
      outcomes,
      stops,
      fc.boolean(),
      async (count, lists, orders, stopsAfter, isStored) => {
        const list = createMovingList({ orders: count, changes: [], oneMatchIn: 1 }, reject);
        const fail = (code: ErrorCode | null | undefined) => {
          if (code) throw new OrderLicenseError(code, { detail: 'failed' });
        };
        const failed = new Map<number, number>();
        const readPage: ReadPage = async (query) => {
          fail(lists.pop());
          return list.read(query);
        };
        const readOrder = async (id: number): Promise<Order> => {
          const code = orders.pop();
          if (code && entry.includes(code)) failed.set(id, (failed.get(id) ?? 0) + 1);
          fail(code);
          return { id, items: [] } as unknown as Order;
        };
        const reads = { readPage, readOrder, onFailure: () => undefined, checkDeadline: () => undefined };
        let walk = orderDetails(reads, {});
        const ids: number[] = [];
        for (let isDone = false; !isDone; ) {
          let left = stopsAfter.pop() ?? Number.POSITIVE_INFINITY;
          try {
            isDone = true;
            for await (const { summary, order, error } of walk) {
              ids.push(summary.id);
              if (error) expect(failed.get(summary.id)).toBeGreaterThanOrEqual(2);
              expect(order?.id).toBe(error ? undefined : summary.id);
              left -= 1;
              isDone = left > 0;
              if (!isDone) break;
            }
          } catch (error) {
            isDone = false;
            if (!(error instanceof OrderLicenseError)) throw error;
            expect(error.position).toEqual(walk.position);
          }
          if (isStored) walk = orderDetails(reads, { position: JSON.parse(JSON.stringify(walk.position)) });
        }
        expect(ids.toSorted((a, b) => b - a)).toEqual(list.stood().toReversed());
      },
    ),
  );
});

test('an error thrown by the caller’s own function ends the walk', async () => {
  const list = createMovingList({ orders: 1, changes: [] }, reject);
  const readOrder = async () => ({ id: 1, items: [{ product_name: 'x' }] }) as unknown as Order;
  const reads = { readPage: list.read, readOrder, onFailure: () => undefined, checkDeadline: () => undefined };
  const productName = () => {
    throw new RangeError('mine');
  };
  await expect(orderDetails(reads, { productName }).next()).rejects.toThrow(RangeError);
});

test.each([null, [], {}, [null], [{ product_name: 7 }]])('items such as %j match no product [U-15]', async (items) => {
  const list = createMovingList({ orders: 1, changes: [] }, reject);
  const readOrder = async () => ({ id: 1, items }) as unknown as Order;
  const reads = { readPage: list.read, readOrder, onFailure: () => undefined, checkDeadline: () => undefined };
  expect(await orderDetails(reads, { productName: 'x' }).toArray({ limit: 9 })).toEqual([]);
});

const reads = (list: ReturnType<typeof createMovingList>, readOrder: (id: number) => Promise<Order>) => ({
  readPage: list.read,
  readOrder,
  onFailure: () => undefined,
  checkDeadline: () => undefined,
});

test('a resumed walk over details keeps its product filter', async () => {
  const list = createMovingList({ orders: 30, changes: [] }, reject);
  const readOrder = async (id: number) => ({ id, items: [{ product_name: id % 2 ? 'A' : 'B' }] }) as unknown as Order;
  const walk = orderDetails(reads(list, readOrder), { productName: 'A' });
  await walk.toArray({ limit: 3 });
  const rest = await orderDetails(reads(list, readOrder), {
    position: JSON.parse(JSON.stringify(walk.position)),
  }).toArray({ limit: 99 });
  expect(rest.every(({ summary }) => summary.id % 2 === 1)).toBe(true);
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

test('an outage does not turn orders into entries with errors', async () => {
  const list = createMovingList({ orders: 60, changes: [] }, reject);
  let isDown = false;
  let count = 0;
  const readOrder = async (id: number) => {
    count += 1;
    isDown = count > 20 && count < 36;
    if (isDown) throw new OrderLicenseError('server', { detail: 'down', status: 503 });
    return { id, items: [] } as unknown as Order;
  };
  const given: number[] = [];
  let position: never | undefined;
  for (let run = 0; run < 40; run++) {
    const walk = orderDetails(reads(list, readOrder), position ? { position } : {});
    try {
      for await (const { summary, order } of walk) if (order) given.push(summary.id);
      break;
    } catch {
      position = JSON.parse(JSON.stringify(walk.position));
    }
  }
  expect(given.toSorted((a, b) => a - b)).toEqual(list.listed());
});

test('at the end of a walk, a failed order stays set aside if the API returns no other order either', async () => {
  const list = createMovingList({ orders: 3, changes: [] }, reject);
  let isDown = false;
  const readOrder = async (id: number) => {
    if (id === 2 || isDown) throw new OrderLicenseError('server', { detail: 'down', status: 503 });
    return { id, items: [] } as unknown as Order;
  };
  const walk = orderDetails(reads(list, readOrder), {});
  expect((await walk.toArray({ limit: 2 })).map(({ summary }) => summary.id)).toEqual([3, 1]);
  isDown = true;
  await expect(walk.next()).rejects.toMatchObject({ code: 'server' });
  const position = JSON.parse(JSON.stringify(walk.position));
  expect(position.details.setAside).toMatchObject([{ id: 2 }]);
  isDown = false;
  const [last] = await orderDetails(reads(list, readOrder), { position }).toArray({ limit: 9 });
  expect(last).toMatchObject({ summary: { id: 2 }, error: { code: 'server' } });
});

test('a position keeps the filters of its walk, and rejects different ones', async () => {
  const list = createMovingList({ orders: 9, changes: [] }, reject);
  const readOrder = async (id: number) => ({ id, items: [{ product_name: 'A' }] }) as unknown as Order;
  const positionOf = async (options: object) => {
    const walk = orderDetails(reads(list, readOrder), options);
    await walk.next();
    return JSON.parse(JSON.stringify(walk.position));
  };
  const resume = (options: object) => () => orderDetails(reads(list, readOrder), options);
  const badRequest = expect.objectContaining({ code: 'bad_request' });
  const ofText = await positionOf({ productName: 'A', skipWithoutCodes: true });
  expect(resume({ position: ofText, productName: 'B' })).toThrow(badRequest);
  expect(resume({ position: ofText, skipWithoutCodes: false })).toThrow(badRequest);
  const ofFunction = await positionOf({ productName: () => true });
  expect(resume({ position: ofFunction })).toThrow(/is a function, which cannot be stored/);
  expect(resume({ position: ofFunction, productName: () => true })).not.toThrow();
  expect(resume({ position: { ...ofText, details: undefined } })).toThrow(badRequest);
});
