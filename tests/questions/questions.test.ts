import type { Mock } from '@order-license/mock-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Assistant, openAssistant } from './assistant.ts';
import { questions } from './questions.ts';
import { openLargeShop, openSmallShop } from './shops.ts';

/** An assistant for each shop, with the documented rate limit. */
let shops: Record<'small' | 'large', { mock: Mock; assistant: Assistant }>;

beforeAll(async () => {
  const [small, large] = [openSmallShop(), openLargeShop()];
  shops = {
    small: { mock: small, assistant: await openAssistant(small, 60) },
    large: { mock: large, assistant: await openAssistant(large, 60) },
  };
});
afterAll(async () => {
  for (const { assistant } of Object.values(shops)) await assistant.close();
});

const all = { calls: 0, tokens: 0 };

test.each(questions)('$text: the assistant finds the answer in few calls', async ({ shop, most, truth, answer }) => {
  const { mock, assistant } = shops[shop];
  const expected = truth(mock);
  expect(expected).toBeTruthy();
  assistant.spent();
  expect(await answer(assistant)).toEqual(expected);
  const { calls, requests, tokens } = assistant.spent();
  expect(calls).toBeLessThanOrEqual(most.calls);
  expect(requests).toBeLessThanOrEqual(most.requests ?? 50 * most.calls);
  expect(tokens).toBeLessThanOrEqual(12_000 * most.calls);
  all.calls += calls;
  all.tokens += tokens;
});

test('the twelve questions together need at most 13 calls and 6,500 tokens', () => {
  expect(all.calls).toBeGreaterThanOrEqual(questions.length);
  expect(all.calls).toBeLessThanOrEqual(13);
  expect(all.tokens).toBeLessThanOrEqual(6_500);
});
