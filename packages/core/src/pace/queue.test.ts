import { expect, test } from 'vitest';
import type { Priority } from '../base/call-options.ts';
import { createQueue, maxPassed, maxUnservedMs, priorities, type Queued } from './queue.ts';

interface Item extends Queued {
  name: string;
}

const setUp = () => {
  const clock = { at: 0 };
  const queue = createQueue<Item>(() => clock.at);
  /** Adds items such as `a1`, whose consumer is the letter. */
  const add = (priority: Priority, ...names: string[]) => {
    for (const name of names) queue.enqueue({ name, priority, consumer: name[0] });
  };
  /** Serves the next item, and returns its name. */
  const take = (isOpen: (item: Item) => boolean = () => true): string | undefined => {
    const next = queue.next(isOpen);
    if (next) queue.serve(next);
    return next?.name;
  };
  const takeAll = (): string[] => {
    const taken: string[] = [];
    for (let name = take(); name; name = take()) taken.push(name);
    return taken;
  };
  return { clock, queue, add, take, takeAll };
};

test('consumers take turns, and one that comes back after its turn waits until the others have had one', () => {
  const { add, take, takeAll } = setUp();
  add('interactive', 'a1', 'a2', 'a3', 'b1');
  expect([take(), take()]).toEqual(['a1', 'b1']);
  add('interactive', 'b2');
  expect(takeAll()).toEqual(['a2', 'b2', 'a3']);
});

test('serves higher priorities first, but of ten permits gives one to each waiting lower priority', () => {
  const { add, take } = setUp();
  for (const priority of priorities) add(priority, ...Array(30).fill(priority));
  const taken = Array.from({ length: 27 }, () => take());
  expect(taken.slice(0, 10)).toEqual([...Array(8).fill('interactive'), 'background', 'bulk']);
  expect(['background', 'bulk'].map((priority) => taken.filter((one) => one === priority).length)).toEqual([2, 2]);
});

test('skips a blocked priority, and serves it first once it is unblocked', () => {
  const { add, take } = setUp();
  for (const priority of ['interactive', 'background'] as const) add(priority, ...Array(20).fill(priority));
  for (let count = 0; count < maxPassed + 2; count++) {
    expect(take(({ priority }) => priority === 'interactive')).toBe('interactive');
  }
  expect(take(() => false)).toBeUndefined();
  expect([take(), take()]).toEqual(['background', 'interactive']);
});

test('serves an open item that stands behind a blocked one, even of the same consumer', () => {
  const { add, take, takeAll } = setUp();
  add('interactive', 'a1', 'a2', 'b1');
  expect(take(({ name }) => name !== 'a1')).toBe('a2');
  expect(takeAll()).toEqual(['b1', 'a1']);
});

test('a waiting priority that was not served for 90 seconds comes first, once', () => {
  const { clock, queue, add, take, takeAll } = setUp();
  add('interactive', 'a1', 'a2', 'a3');
  clock.at = 5_000;
  add('bulk', 'b1', 'b2');
  expect(queue.dueAt()).toBe(maxUnservedMs);
  expect(take()).toBe('a1');
  expect(queue.dueAt()).toBe(5_000 + maxUnservedMs);
  clock.at = 5_000 + maxUnservedMs - 1;
  expect(take()).toBe('a2');
  clock.at += 1;
  expect(takeAll()).toEqual(['b1', 'a3', 'b2']);
  expect(queue.dueAt()).toBe(Number.POSITIVE_INFINITY);
});

test('a priority is due at the time that is given for it, whatever the fractions of a millisecond', () => {
  for (let n = 0; n < 1_000; n++) {
    const { clock, queue, add } = setUp();
    // Above a power of two, a number has one binary digit less for its fraction.
    clock.at = 2 ** 23 - 1 + n / 1_000;
    add('bulk', 'b1');
    clock.at = queue.dueAt();
    expect(queue.isDue('bulk')).toBe(true);
  }
});
