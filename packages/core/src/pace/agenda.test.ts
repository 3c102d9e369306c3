import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAgenda } from './agenda.ts';

test('returns the earliest item that is still needed first', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 300 }), fc.nat(3), (times, unwanted) => {
      const gone = new Set<number>();
      const agenda = createAgenda<number>((item) => !gone.has(item));
      times.forEach((at, item) => {
        agenda.add(at, item);
        if (unwanted > 0 && item % (unwanted + 1) > 0) gone.add(item);
      });
      const left = times.map((at, item) => ({ at, item })).filter(({ item }) => !gone.has(item));
      for (const { at } of left.sort((one, other) => one.at - other.at)) {
        const first = agenda.first();
        expect(first?.at).toBe(at);
        gone.add(first?.item ?? -1);
      }
      expect(agenda.first()).toBeUndefined();
    }),
  );
});

test('an item without a time never comes up', () => {
  const agenda = createAgenda(() => true);
  agenda.add(Number.POSITIVE_INFINITY, 'never');
  expect(agenda.first()).toBeUndefined();
});
