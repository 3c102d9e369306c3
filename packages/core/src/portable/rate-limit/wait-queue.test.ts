import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWaitQueue, type Place } from './wait-queue.ts';

test('the first lane is served before the second, each in order of arrival', () => {
  const queue = createWaitQueue<string>(2);
  for (const item of ['bulk 1', 'bulk 2']) queue.add(item, 1);
  for (const item of ['person 1', 'person 2']) queue.add(item, 0);
  expect([queue.take(), queue.take(), queue.take(), queue.take(), queue.take()]).toEqual([
    'person 1',
    'person 2',
    'bulk 1',
    'bulk 2',
    undefined,
  ]);
});

test('an item leaves from anywhere, and only once', () => {
  const queue = createWaitQueue<number>(1);
  const places = [0, 1, 2, 3].map((item) => queue.add(item, 0));
  for (const index of [1, 3, 0]) expect(queue.remove(places[index] as Place<number>)).toBe(true);
  expect(queue.remove(places[1] as Place<number>)).toBe(false);
  expect(queue.size()).toBe(1);
  expect(queue.take()).toBe(2);
  expect(queue.remove(places[2] as Place<number>)).toBe(false);
});

test('serves like a sorted list and never counts more ahead than there are, whatever happens', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const), lane: fc.nat(2) }),
    fc.record({ do: fc.constant('remove' as const), which: fc.nat(20) }),
    fc.record({ do: fc.constant('take' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = createWaitQueue<number>(3);
      let model: Place<number>[] = [];
      steps.forEach((step, item) => {
        if (step.do === 'add') {
          const place = queue.add(item, step.lane);
          model = [...model, place].sort((a, b) => a.lane - b.lane || a.item - b.item);
          expect(queue.ahead(place)).toBe(model.indexOf(place));
        }
        if (step.do === 'take') expect(queue.take()).toBe(model.shift()?.item);
        const leaving = step.do === 'remove' ? model[step.which] : undefined;
        if (leaving) {
          expect(queue.remove(leaving)).toBe(true);
          model = model.filter((place) => place !== leaving);
        }
        expect(queue.size()).toBe(model.length);
        expect(model.every((place, index) => queue.ahead(place) <= index)).toBe(true);
      });
    }),
  );
});
