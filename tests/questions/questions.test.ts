import type { Mock } from '@order-license/mock-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Assistant, openAssistant } from './assistant.ts';
import { questions } from './questions.ts';
import { openLargeShop, openSmallShop } from './shops.ts';

let shops: Record<'small' | 'large', { mock: Mock; assistant: Assistant }>;

beforeAll(async () => {
  const [small, large] = [openSmallShop(), openLargeShop()];
  shops = {
    small: { mock: small, assistant: await openAssistant(small) },
    large: { mock: large, assistant: await openAssistant(large) },
  };
});
afterAll(async () => {
  for (const { assistant } of Object.values(shops)) await assistant.close();
});

const all = { calls: 0, tokens: 0 };

test.each(questions)('$text: the exact answer, in few calls', async ({ shop, most, truth, answer }) => {
  const { mock, assistant } = shops[shop];
  const expected = await truth(mock);
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

test('the twelve questions take at most 14 calls and 10,000 tokens together', () => {
  expect(all.calls).toBeGreaterThanOrEqual(questions.length);
  expect(all.calls).toBeLessThanOrEqual(14);
  expect(all.tokens).toBeLessThanOrEqual(10_000);
});

test.each(questions.filter(({ shop }) => shop === 'small'))(
  '$text: pages lead to the same answer',
  async (question) => {
    const { mock, assistant } = shops.small;
    expect(await question.before(assistant, mock)).toEqual(await question.truth(mock));
  },
);
