import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Priority } from '../base/call-options.ts';
import { createQueue, maxPassed, maxUnservedMs, priorities, type Queued } from './queue.ts';

type Queue<Item extends Queued> = ReturnType<typeof createQueue<Item>>;

interface Item extends Queued {
  name: string;
}

/** An item such as `a1`: its consumer is the letter. */
const item = (name: string, priority: Priority = 'interactive'): Item => ({ name, priority, consumer: name[0] });

/** A clock that stands still. */
const still = (): number => 0;

const queueOf = (...items: Item[]): Queue<Item> => {
  const queue = createQueue<Item>(still);
  for (const one of items) queue.enqueue(one);
  return queue;
};

const items = (...names: string[]): Item[] => names.map((name) => item(name));

const takeNext = <One extends Queued>(
  queue: Queue<One>,
  isOpen: (item: One) => boolean = () => true,
): One | undefined => {
  const next = queue.next(isOpen);
  if (next) queue.serve(next);
  return next;
};

const takeAll = (queue: Queue<Item>): string[] => {
  const taken: string[] = [];
  for (let next = takeNext(queue); next; next = takeNext(queue)) taken.push(next.name);
  return taken;
};

test('consumers take turns, and each consumer’s requests are served in order of arrival', () => {
  const queue = queueOf(...items('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'));
  expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('a consumer that comes back after its turn waits until the others have had one turn', () => {
  const queue = queueOf(...items('a1', 'a2', 'a3', 'b1'));
  expect([takeNext(queue)?.name, takeNext(queue)?.name]).toEqual(['a1', 'b1']);
  queue.enqueue(item('b2'));
  expect(takeAll(queue)).toEqual(['a2', 'b2', 'a3']);
});

test('serves higher priorities first, and each priority in order of arrival', () => {
  const queue = queueOf(item('bulk 1', 'bulk'), item('bulk 2', 'bulk'), ...items('person 1', 'person 2'));
  expect(takeAll(queue)).toEqual(['person 1', 'person 2', 'bulk 1', 'bulk 2']);
});

test('of ten permits, gives one to each waiting lower priority', () => {
  const queue = createQueue<Queued>(still);
  for (let count = 0; count < 30; count++) for (const priority of priorities) queue.enqueue({ priority });
  const taken = Array.from({ length: 27 }, () => takeNext(queue)?.priority);
  expect(taken.slice(0, 10)).toEqual([...Array(8).fill('interactive'), 'background', 'bulk']);
  expect(['background', 'bulk'].map((priority) => taken.filter((one) => one === priority).length)).toEqual([2, 2]);
});

test('skips a blocked priority, and serves it first once it is unblocked', () => {
  const queue = createQueue<Queued>(still);
  for (let count = 0; count < 20; count++) {
    for (const priority of ['interactive', 'background'] as const) queue.enqueue({ priority });
  }
  const isInteractive = ({ priority }: Queued) => priority === 'interactive';
  for (let count = 0; count < maxPassed + 2; count++) {
    expect(takeNext(queue, isInteractive)?.priority).toBe('interactive');
  }
  expect(takeNext(queue, () => false)).toBeUndefined();
  expect(takeNext(queue)?.priority).toBe('background');
  expect(takeNext(queue)?.priority).toBe('interactive');
});

test('serves an open item that stands behind a blocked one, even of the same consumer', () => {
  const queue = queueOf(...items('a1', 'a2', 'b1'));
  expect(takeNext(queue, ({ name }) => name !== 'a1')?.name).toBe('a2');
  expect(takeAll(queue)).toEqual(['b1', 'a1']);
});

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      priority: fc.constantFrom(...priorities),
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
      const queue = createQueue<Numbered>(still);
      let waiting: Numbered[] = [];
      const passed = { interactive: 0, background: 0, bulk: 0 };
      steps.forEach((step, at) => {
        if (step.do === 'add') {
          const added = { at, priority: step.priority, consumer: step.consumer };
          queue.enqueue(added);
          waiting.push(added);
        }
        if (step.do === 'remove') {
          const [leaving] = waiting.splice(step.which, 1);
          if (leaving) expect([queue.leave(leaving), queue.leave(leaving)]).toEqual([true, false]);
        }
        if (step.do === 'take') {
          const first = queue.next(() => true);
          const next = takeNext(queue);
          expect(next === undefined).toBe(waiting.length === 0);
          if (!next) return;
          expect(waiting.find((one) => one.priority === next.priority && one.consumer === next.consumer)).toBe(next);
          expect(first).toBe(next);
          waiting = waiting.filter((one) => one !== next);
          priorities.forEach((priority, rank) => {
            const isPassed =
              rank > priorities.indexOf(next.priority) && waiting.some((one) => one.priority === priority);
            passed[priority] = isPassed ? passed[priority] + 1 : 0;
            // Both lower priorities may be due at once.
            expect(passed[priority]).toBeLessThanOrEqual(maxPassed + 1);
          });
        }
        expect(queue.items()).toHaveLength(waiting.length);
        expect(queue.isEmpty()).toBe(waiting.length === 0);
      });
    }),
  );
});

test('a waiting priority that was not served for 90 seconds comes first, once', () => {
  let now = 0;
  const queue = createQueue<Item>(() => now);
  for (const name of ['a1', 'a2', 'a3']) queue.enqueue(item(name));
  now = 5_000;
  for (const name of ['b1', 'b2']) queue.enqueue(item(name, 'bulk'));
  expect(queue.dueAt()).toBe(maxUnservedMs);
  expect(takeNext(queue)?.name).toBe('a1');
  expect(queue.dueAt()).toBe(5_000 + maxUnservedMs);
  now = 5_000 + maxUnservedMs - 1;
  expect(takeNext(queue)?.name).toBe('a2');
  now += 1;
  expect(takeAll(queue)).toEqual(['b1', 'a3', 'b2']);
  expect(queue.dueAt()).toBe(Number.POSITIVE_INFINITY);
});

test('a priority is due at the time that is given for it, whatever the fractions of a millisecond', () => {
  for (let n = 0; n < 1_000; n++) {
    let now = n / 1_000;
    const queue = createQueue<Item>(() => now);
    queue.enqueue(item('b1', 'bulk'));
    now = queue.dueAt();
    expect(queue.isDue('bulk')).toBe(true);
  }
});
