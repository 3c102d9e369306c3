import { expect, test } from 'vitest';
import { createStateMemory } from './state-memory';

test('goes on from what a poll without events learned, whether n8n kept it or not', () => {
  const memory = createStateMemory();
  memory.keep('saved', 'learned');
  expect(memory.recall('saved')).toBe('learned');
  expect(memory.recall('learned')).toBe('learned');
  memory.keep('saved', 'learned more');
  expect(memory.recall('saved')).toBe('learned more');
});

test('goes on from the first poll where n8n saved no state after it', () => {
  const memory = createStateMemory();
  memory.keep(undefined, 'learned');
  expect(memory.recall(undefined)).toBe('learned');
});

test('a state that n8n took from elsewhere holds', () => {
  const memory = createStateMemory();
  memory.keep('saved', 'learned');
  expect(memory.recall('of another process')).toBe('of another process');
  expect(memory.recall(undefined)).toBe(undefined);
  expect(createStateMemory().recall(undefined)).toBe(undefined);
});

test('after events, what n8n holds decides: it may not have saved them', () => {
  const memory = createStateMemory();
  memory.keep('saved', 'learned');
  memory.forget();
  expect(memory.recall('saved')).toBe('saved');
});
