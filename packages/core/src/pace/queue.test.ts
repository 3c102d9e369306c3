import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createQueue,
  enqueue,
  inOrder,
  type Lane,
  leave,
  maxPassed,
  nextLane,
  type Queue,
  type Queued,
  serve,
} from './queue.ts';

interface Item extends Queued {
  name: string;
}

/** An item such as `a1`: its consumer is the letter. */
const item = (name: string, lane: Lane = 0): Item => ({ name, lane, consumer: name[0] });

const takeNext = <One extends Queued>(queue: Queue<One>, isOpen = (_lane: Lane) => true): One | undefined => {
  const lane = nextLane(queue, isOpen);
  return lane === undefined ? undefined : serve(queue, lane);
};

/** How many items are expected to be served before this one. */
const ahead = <One extends Queued>(queue: Queue<One>, item: One): number => inOrder(queue).indexOf(item);

const takeAll = (queue: Queue<Item>): string[] => {
  const taken: string[] = [];
  for (let next = takeNext(queue); next; next = takeNext(queue)) taken.push(next.name);
  return taken;
};

test('consumers take turns, and each is served in order of arrival', () => {
  const queue = createQueue<Item>();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) enqueue(queue, item(name));
  expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('a consumer that returns after its turn waits for one round', () => {
  const queue = createQueue<Item>();
  for (const name of ['a1', 'a2', 'a3', 'b1']) enqueue(queue, item(name));
  expect([takeNext(queue)?.name, takeNext(queue)?.name]).toEqual(['a1', 'b1']);
  enqueue(queue, item('b2'));
  expect(takeAll(queue)).toEqual(['a2', 'b2', 'a3']);
});

test('an item can leave from any position, and only once', () => {
  const queue = createQueue<Item>();
  const items = ['a0', 'a1', 'a2', 'a3'].map((name) => item(name));
  for (const one of items) enqueue(queue, one);
  for (const index of [1, 3, 0]) expect(leave(queue, items[index] as Item)).toBe(true);
  expect(leave(queue, items[1] as Item)).toBe(false);
  expect(takeAll(queue)).toEqual(['a2']);
  expect(leave(queue, items[2] as Item)).toBe(false);
});

test('serves the first lane before the second, each in order of arrival', () => {
  const queue = createQueue<Item>();
  for (const name of ['bulk 1', 'bulk 2']) enqueue(queue, item(name, 3));
  for (const name of ['person 1', 'person 2']) enqueue(queue, item(name, 0));
  expect(takeAll(queue)).toEqual(['person 1', 'person 2', 'bulk 1', 'bulk 2']);
});

test('serves a waiting lane once after eight from the lanes before it', () => {
  const queue = createQueue<Queued>();
  for (let count = 0; count < 30; count++) for (const lane of [0, 1, 2] as const) enqueue(queue, { lane });
  const taken = Array.from({ length: 27 }, () => takeNext(queue)?.lane);
  expect(taken.slice(0, 10)).toEqual([...Array(8).fill(0), 1, 2]);
  expect([1, 2].map((lane) => taken.filter((one) => one === lane).length)).toEqual([2, 2]);
});

test('skips a closed lane, and serves it first once it is open', () => {
  const queue = createQueue<Queued>();
  for (let count = 0; count < 20; count++) for (const lane of [0, 1] as const) enqueue(queue, { lane });
  for (let count = 0; count < maxPassed + 2; count++) expect(takeNext(queue, (lane) => lane === 0)?.lane).toBe(0);
  expect(takeNext(queue, () => false)).toBeUndefined();
  expect(takeNext(queue)?.lane).toBe(1);
  expect(takeNext(queue)?.lane).toBe(0);
});

test('a new item has at most one item of each other consumer ahead, and all items of earlier lanes', () => {
  const queue = createQueue<Item>();
  for (let count = 0; count < 1_000; count++) enqueue(queue, item('walk', 3));
  for (let count = 0; count < 3; count++) enqueue(queue, item('person', 0));
  const newcomer = item('newcomer', 3);
  enqueue(queue, newcomer);
  expect(ahead(queue, newcomer)).toBe(1 + 3);
});

test('the count of those ahead includes the turns of a lane that is passed over', () => {
  const queue = createQueue<Item>();
  for (let count = 0; count < 1_000; count++) enqueue(queue, item('person', 0));
  const bulk = item('bulk', 3);
  enqueue(queue, bulk);
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

test('serves every item once, each consumer in order and each lane in its turn, as expected', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const queue = createQueue<Numbered>();
      let waiting: Numbered[] = [];
      const passed = [0, 0, 0, 0];
      steps.forEach((step, at) => {
        if (step.do === 'add') {
          const added = { at, lane: step.lane, consumer: step.consumer };
          enqueue(queue, added);
          waiting.push(added);
        }
        if (step.do === 'remove') {
          const [leaving] = waiting.splice(step.which, 1);
          if (leaving) expect(leave(queue, leaving)).toBe(true);
        }
        if (step.do === 'take') {
          const [first] = inOrder(queue);
          const next = takeNext(queue);
          expect(next === undefined).toBe(waiting.length === 0);
          if (!next) return;
          expect(waiting.find(({ lane, consumer }) => lane === next.lane && consumer === next.consumer)).toBe(next);
          expect(first).toBe(next);
          waiting = waiting.filter((one) => one !== next);
          for (const lane of [0, 1, 2, 3]) {
            const isPassed = lane > next.lane && waiting.some((one) => one.lane === lane);
            passed[lane] = isPassed ? (passed[lane] ?? 0) + 1 : 0;
            // Several lanes may be due at once.
            expect(passed[lane]).toBeLessThanOrEqual(maxPassed + 2);
          }
        }
        expect(inOrder(queue)).toHaveLength(waiting.length);
      });
    }),
  );
});
