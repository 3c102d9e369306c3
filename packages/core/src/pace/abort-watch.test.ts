import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createAbortWatch } from './abort-watch.ts';

const setUp = () => {
  const aborted: unknown[][] = [];
  const watch = createAbortWatch<string>((_, items) => aborted.push([...items]));
  return { aborted, watch };
};

test('an abort reports all items that wait on the signal, and no others', () => {
  const { aborted, watch } = setUp();
  const [one, other] = [new AbortController(), new AbortController()];
  watch.add(one.signal, 'a');
  watch.add(other.signal, 'b');
  watch.add(one.signal, 'c');
  watch.add(one.signal, 'd');
  watch.remove(one.signal, 'c');
  one.abort();
  expect(aborted).toEqual([['a', 'd']]);
});

test('reports the only item on a signal, unless it has left', () => {
  const { aborted, watch } = setUp();
  const [one, other] = [new AbortController(), new AbortController()];
  watch.add(one.signal, 'a');
  watch.add(other.signal, 'b');
  watch.remove(other.signal, 'another');
  watch.remove(one.signal, 'a');
  one.abort();
  other.abort();
  expect(aborted).toEqual([['b']]);
});

test('a signal has one listener while something waits on it, and none afterwards', () => {
  const { watch } = setUp();
  const { signal } = new AbortController();
  for (const item of ['a', 'b', 'c']) watch.add(signal, item);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  for (const item of ['a', 'b', 'c']) watch.remove(signal, item);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  watch.remove(signal, 'a');
  watch.remove(undefined, 'a');
});
