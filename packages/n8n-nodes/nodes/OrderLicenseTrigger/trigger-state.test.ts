import type { ChangesState } from '@order-license/core/portable';
import { expect, test } from 'vitest';
import { createTriggerState, readState } from './trigger-state';

const stateWith = (...ids: number[]): ChangesState =>
  ({ version: 1, silentSince: null, ids }) as unknown as ChangesState;
const quiet = { hasEvents: false, nowMs: 1_000_000 };
const withEvents = { hasEvents: true, nowMs: 1_000_000 };

test('continues from a poll without events, whether or not n8n saved its state', () => {
  const memory = createTriggerState();
  const learned = stateWith(1);
  const text = memory.keep('saved', learned, quiet);
  expect(readState(text)).toEqual(learned);
  expect(memory.recall('saved')).toBe(learned);
  expect(memory.recall(text)).toBe(learned);
  const more = stateWith(1, 2);
  memory.keep('saved', more, quiet);
  expect(memory.recall('saved')).toBe(more);
});

test('continues from the first poll if n8n saved no later state', () => {
  const memory = createTriggerState();
  const learned = stateWith(1);
  memory.keep(undefined, learned, quiet);
  expect(memory.recall(undefined)).toBe(learned);
});

test('uses a state that n8n loaded from elsewhere', () => {
  const memory = createTriggerState();
  const elsewhere = createTriggerState().keep(undefined, stateWith(7), quiet);
  memory.keep('saved', stateWith(1), quiet);
  expect(memory.recall(elsewhere)).toEqual(stateWith(7));
  expect(memory.recall(undefined)).toBeUndefined();
  expect(createTriggerState().recall(undefined)).toBeUndefined();
});

test('after events, uses the state that n8n holds, because n8n may not have saved the events', () => {
  const memory = createTriggerState();
  const saved = memory.keep(undefined, stateWith(1), quiet);
  const learned = stateWith(1, 2);
  const text = memory.keep(saved, learned, withEvents);
  expect(memory.recall(text)).toBe(learned);
  expect(memory.recall(saved)).toEqual(stateWith(1));
});

test('if n8n drops the events, continues from the state before the events, even if n8n never held that state', () => {
  const memory = createTriggerState();
  const saved = memory.keep(undefined, stateWith(1), quiet);
  const learned = stateWith(1, 2);
  memory.keep(saved, learned, quiet);
  memory.keep(saved, stateWith(1, 2, 3), withEvents);
  expect(memory.recall(saved)).toBe(learned);
  memory.keep(saved, stateWith(1, 2, 3, 4), withEvents);
  expect(memory.recall(saved)).toBe(learned);
});

test('without events, gives n8n a newer state only every five minutes', () => {
  const memory = createTriggerState();
  const text = memory.keep(undefined, stateWith(1), quiet);
  expect(memory.keep(text, stateWith(1, 2), { hasEvents: false, nowMs: 1_299_000 })).toBeUndefined();
  expect(readState(memory.keep(text, stateWith(1, 2, 3), { hasEvents: false, nowMs: 1_300_000 }))).toEqual(
    stateWith(1, 2, 3),
  );
  expect(memory.keep('of an older save', stateWith(1, 2, 3), { hasEvents: false, nowMs: 1_301_000 })).toBeDefined();
});
