import { expect, test } from 'vitest';
import { countViolations } from './violations.ts';

const early = [{ point: 'S-84', text: 'the request was sent 4 s before the wait after a 429 was over' }];
const request = (program: string, at: number, more: { status?: number; violations?: typeof early } = {}) => ({
  ...{ at, status: 200, violations: [], headers: { 'user-agent': `${program}/1.0` } },
  ...more,
});

test('after a 429, counts early requests of the same program, but not of another one that cannot know', () => {
  const violations = countViolations();
  violations.add(request('n8n', 1_000, { status: 429 }));
  violations.add(request('assistant', 2_000, { violations: early }));
  expect(violations.count()).toBe(0);
  violations.add(request('n8n', 2_000, { violations: early }));
  expect(violations.count()).toBe(1);
});

test('a restarted program knows of no earlier 429', () => {
  const violations = countViolations();
  violations.add(request('n8n', 1_000, { status: 429 }));
  violations.restart('n8n');
  violations.add(request('n8n', 2_000, { violations: early }));
  expect(violations.count()).toBe(0);
});

test('counts every other violation', () => {
  const violations = countViolations();
  violations.add(request('assistant', 1_000, { violations: [{ point: 'S-04', text: 'two Authorization headers' }] }));
  expect(violations.count()).toBe(1);
});
