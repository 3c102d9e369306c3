import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ErrorCode, OrderLicenseError } from '../base/errors.ts';
import type { Order } from '../model/order.ts';
import { createMovingList } from './moving-list.fixture.ts';
import { orderDetails } from './order-details.ts';
import type { ReadPage } from './window.ts';

const refuse = (status: 400 | 404) => new OrderLicenseError('invalid_response', { detail: 'refused', status });
const ending: ErrorCode[] = ['authentication', 'not_business_account', 'aborted', 'rate_limited', 'configuration'];
const entry: ErrorCode[] = ['server', 'not_found', 'connection', 'timeout', 'invalid_response', 'bad_request'];

test('however requests fail and the caller stops, each order is one entry, and only orders that failed twice have errors', async () => {
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
        const list = createMovingList({ orders: count, changes: [], oneMatchIn: 1 }, refuse);
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
  const list = createMovingList({ orders: 1, changes: [] }, refuse);
  const readOrder = async () => ({ id: 1, items: [{ product_name: 'x' }] }) as unknown as Order;
  const reads = { readPage: list.read, readOrder, onFailure: () => undefined, checkDeadline: () => undefined };
  const productName = () => {
    throw new RangeError('mine');
  };
  await expect(orderDetails(reads, { productName }).next()).rejects.toThrow(RangeError);
});

test.each([null, [], {}, [null], [{ product_name: 7 }]])('items such as %j match no product [U-15]', async (items) => {
  const list = createMovingList({ orders: 1, changes: [] }, refuse);
  const readOrder = async () => ({ id: 1, items }) as unknown as Order;
  const reads = { readPage: list.read, readOrder, onFailure: () => undefined, checkDeadline: () => undefined };
  expect(await orderDetails(reads, { productName: 'x' }).toArray({ limit: 9 })).toEqual([]);
});
