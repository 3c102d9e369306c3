import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createQueue, type Lane, maxPassed, type Queue, type Queued } from './queue.ts';

interface Item extends Queued {
  name: string;
}

/** An item such as `a1`: its consumer is the letter. */
const item = (name: string, lane: Lane = 0): Item => ({ name, lane, consumer: name[0] });

const takeNext = <One extends Queued>(queue: Queue<One>, isOpen?: (lane: Lane) => boolean): One | undefined => {
  const next = queue.next(isOpen);
  if (next) queue.serve(next);
  return next;
};

/** Returns the number of items that are expected to be served before this one. */
const ahead = <One extends Queued>(queue: Queue<One>, item: One): number => queue.inOrder().indexOf(item);

const takeAll = (queue: Queue<Item>): string[] => {
  const taken: string[] = [];
  for (let next = takeNext(queue); next; next = takeNext(queue)) taken.push(next.name);
  return taken;
};

test('consumers take turns, and each consumer’s requests are served in order of arrival', () => {
  const queue = createQueue<Item>();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) queue.enqueue(item(name));
  expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('a consumer that comes back after its turn waits until the others have had one turn', () => {
  const queue = createQueue<Item>();
  for (const name of ['a1', 'a2', 'a3', 'b1']) queue.enqueue(item(name));
  expect([takeNext(queue)?.name, takeNext(queue)?.name]).toEqual(['a1', 'b1']);
  queue.enqueue(item('b2'));
  expect(takeAll(queue)).toEqual(['a2', 'b2', 'a3']);
});

test('an item can leave the queue from any position, but only once', () => {
  const queue = createQueue<Item>();
  const items = ['a0', 'a1', 'a2', 'a3'].map((name) => item(name));
  for (const one of items) queue.enqueue(one);
  for (const index of [1, 3, 0]) expect(queue.leave(items[index] as Item)).toBe(true);
  expect(queue.leave(items[1] as Item)).toBe(false);
  expect(takeAll(queue)).toEqual(['a2']);
  expect(queue.leave(items[2] as Item)).toBe(false);
});

test('serves higher priorities first, and each priority in order of arrival', () => {
  const queue = createQueue<Item>();
  for (const name of ['bulk 1', 'bulk 2']) queue.enqueue(item(name, 3));
  for (const name of ['person 1', 'person 2']) queue.enqueue(item(name, 0));
  expect(takeAll(queue)).toEqual(['person 1', 'person 2', 'bulk 1', 'bulk 2']);
});

test('serves one item of a waiting priority after eight items of higher priority', () => {
  const queue = createQueue<Queued>();
  for (let count = 0; count < 30; count++) for (const lane of [0, 1, 2] as const) queue.enqueue({ lane });
  const taken = Array.from({ length: 27 }, () => takeNext(queue)?.lane);
  expect(taken.slice(0, 10)).toEqual([...Array(8).fill(0), 1, 2]);
  expect([1, 2].map((lane) => taken.filter((one) => one === lane).length)).toEqual([2, 2]);
});

test('skips a blocked priority, and serves it first once it is unblocked', () => {
  const queue = createQueue<Queued>();
  for (let count = 0; count < 20; count++) for (const lane of [0, 1] as const) queue.enqueue({ lane });
  for (let count = 0; count < maxPassed + 2; count++) expect(takeNext(queue, (lane) => lane === 0)?.lane).toBe(0);
  expect(takeNext(queue, () => false)).toBeUndefined();
  expect(takeNext(queue)?.lane).toBe(1);
  expect(takeNext(queue)?.lane).toBe(0);
});

test('a new item waits for the items of higher priority, and for at most one item of each other consumer', () => {
  const queue = createQueue<Item>();
  for (let count = 0; count < 1_000; count++) queue.enqueue(item('walk', 3));
  for (let count = 0; count < 3; count++) queue.enqueue(item('person', 0));
  const newcomer = item('newcomer', 3);
  queue.enqueue(newcomer);
  expect(ahead(queue, newcomer)).toBe(1 + 3);
});

test('counts at most eight higher-priority items as ahead of a waiting item', () => {
  const queue = createQueue<Item>();
  for (let count = 0; count < 1_000; count++) queue.enqueue(item('person', 0));
  const bulk = item('bulk', 3);
  queue.enqueue(bulk);
  expect(ahead(queue, bulk)).toBe(maxPassed);
});

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      lane: fc.constantFrom<Lane[]>(0, 1, 2, 3),
      consumer: fc.nat(2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), which: fc.nat(20) }) },
);
type Numbered = Queued & { at: number };

test('serves every item once, in the order expected for its priority and consumer', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const queue = createQueue<Numbered>();
      let waiting: Numbered[] = [];
      const passed = [0, 0, 0, 0];
      steps.forEach((step, at) => {
        if (step.do === 'add') {
          const added = { at, lane: step.lane, consumer: step.consumer };
          queue.enqueue(added);
          waiting.push(added);
        }
        if (step.do === 'remove') {
          const [leaving] = waiting.splice(step.which, 1);
          if (leaving) expect(queue.leave(leaving)).toBe(true);
        }
        if (step.do === 'take') {
          const [first] = queue.inOrder();
          const next = takeNext(queue);
          expect(next === undefined).toBe(waiting.length === 0);
          if (!next) return;
          expect(waiting.find(({ lane, consumer }) => lane === next.lane && consumer === next.consumer)).toBe(next);
          expect(first).toBe(next);
          waiting = waiting.filter((one) => one !== next);
          for (const lane of [0, 1, 2, 3]) {
            const isPassed = lane > next.lane && waiting.some((one) => one.lane === lane);
            passed[lane] = isPassed ? (passed[lane] ?? 0) + 1 : 0;
            // Several priorities may be due at once.
            expect(passed[lane]).toBeLessThanOrEqual(maxPassed + 2);
          }
        }
        expect(queue.inOrder()).toHaveLength(waiting.length);
      });
    }),
  );
});
