import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Place } from './fair-lane.ts';
import { createWaitQueue, maxPassed, type WaitQueue } from './wait-queue.ts';

const takeNext = <Item>(queue: WaitQueue<Item>, isOpen = (_lane: number) => true): Item | undefined => {
  const lane = queue.next(isOpen);
  return lane === undefined ? undefined : queue.take(lane)?.item;
};

test('the first lane is served before the second, each in order of arrival', () => {
  const queue = createWaitQueue<string>(2);
  for (const item of ['bulk 1', 'bulk 2']) queue.add(item, 1, 'a');
  for (const item of ['person 1', 'person 2']) queue.add(item, 0, 'a');
  const taken = Array.from({ length: 5 }, () => takeNext(queue));
  expect(taken).toEqual(['person 1', 'person 2', 'bulk 1', 'bulk 2', undefined]);
});

test('serves a waiting lane once after eight from the lanes before it', () => {
  const queue = createWaitQueue<number>(3);
  for (let count = 0; count < 30; count++) for (const lane of [0, 1, 2]) queue.add(lane, lane, 'a');
  const taken = Array.from({ length: 27 }, () => takeNext(queue));
  expect(taken.slice(0, 10)).toEqual([...Array(8).fill(0), 1, 2]);
  expect([1, 2].map((lane) => taken.filter((item) => item === lane).length)).toEqual([2, 2]);
});

test('skips a closed lane, and serves it first once it is open', () => {
  const queue = createWaitQueue<number>(2);
  for (let count = 0; count < 20; count++) for (const lane of [0, 1]) queue.add(lane, lane, 'a');
  for (let count = 0; count < maxPassed + 2; count++) expect(takeNext(queue, (lane) => lane === 0)).toBe(0);
  expect(takeNext(queue, () => false)).toBeUndefined();
  expect(takeNext(queue)).toBe(1);
  expect(takeNext(queue)).toBe(0);
});

test('a new request has at most one item of each other consumer ahead, and every lane before its own', () => {
  const queue = createWaitQueue<string>(2);
  for (let count = 0; count < 5_000; count++) queue.add('bulk', 1, 'walk');
  for (let count = 0; count < 3; count++) queue.add('person', 0, 'person');
  expect(queue.ahead(queue.add('newcomer', 1, 'another walk'))).toBe(1 + 3);
});

test('the count of those ahead includes the turns of a lane that is passed over', () => {
  const queue = createWaitQueue<string>(2);
  for (let count = 0; count < 5_000; count++) queue.add('person', 0, 'all');
  expect(queue.ahead(queue.add('bulk', 1, 'walk'))).toBe(maxPassed);
});

test("serves every item once, a consumer's items in a lane in order, and no lane waits for more than its turn", () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), lane: fc.nat(2), consumer: fc.nat(2) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), which: fc.nat(20) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const queue = createWaitQueue<{ at: number; lane: number; consumer: number }>(3);
      let waiting: Place<{ at: number; lane: number; consumer: number }>[] = [];
      const passed = [0, 0, 0];
      steps.forEach((step, at) => {
        if (step.do === 'add') waiting.push(queue.add({ at, ...step }, step.lane, step.consumer));
        if (step.do === 'remove') {
          const [leaving] = waiting.splice(step.which, 1);
          if (leaving) expect(queue.remove(leaving)).toBe(true);
        }
        if (step.do === 'take') {
          const item = takeNext(queue);
          expect(item === undefined).toBe(waiting.length === 0);
          if (!item) return;
          const isSame = (place: Place<{ lane: number; consumer: number }>) =>
            place.lane === item.lane && place.item.consumer === item.consumer;
          expect(waiting.find(isSame)?.item).toBe(item);
          waiting = waiting.filter((place) => place.item !== item);
          for (const lane of [0, 1, 2]) {
            const isPassed = lane > item.lane && waiting.some((place) => place.lane === lane);
            passed[lane] = isPassed ? (passed[lane] ?? 0) + 1 : 0;
            // Two lanes may be due at once.
            expect(passed[lane]).toBeLessThanOrEqual(maxPassed + 1);
          }
        }
        expect(queue.size()).toBe(waiting.length);
      });
    }),
  );
});
