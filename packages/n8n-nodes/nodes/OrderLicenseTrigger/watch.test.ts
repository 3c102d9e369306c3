import type { OrderSummary } from '@order-license/core/portable';
import { expect, test } from 'vitest';
import { newWatch, printOf, readWatch, writeWatch } from './watch';

test('what was written is read again, and nothing else is', () => {
  const watch = newWatch('4711', 1_000);
  watch.orders['10001'] = { s: 'bezahlt', v: 1, k: [1, 'a'] };
  expect(readWatch(writeWatch(watch))).toEqual(watch);
  for (const other of [undefined, null, 7, '', 'null', '[]', '{', '{"version":2}', {}]) {
    expect(readWatch(other)).toBeUndefined();
  }
});

test('the state is bounded: 10,000 orders fit, 30,000 are refused', () => {
  const watch = newWatch('4711', 0);
  const fill = (count: number) => {
    for (let id = 10_000; id < 10_000 + count; id++) {
      watch.orders[id] = { s: 'abgeschlossen', d: 1_893_456_000, v: 12, f: 'zik0zj', k: [id * 64] };
    }
  };
  fill(10_000);
  expect(writeWatch(watch).length).toBeLessThan(1_048_576);
  fill(30_000);
  expect(() => writeWatch(watch)).toThrow('30000 orders are too many to watch');
});

test('the print follows each of the three states', () => {
  const order = { status: 'bezahlt', zahlungsstatus: 'offen', lieferstatus: 'geliefert' } as OrderSummary;
  const prints = [
    order,
    { ...order, status: 'storniert' },
    { ...order, zahlungsstatus: 'x' },
    { ...order, lieferstatus: 'ß' },
  ];
  expect(new Set(prints.map(printOf)).size).toBe(4);
  expect(printOf(order)).toBe(printOf({ ...order, id: 2 }));
});
