import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pollBudget } from './poll-budget';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const takeAll = async (take: () => Promise<boolean>): Promise<number> => {
  let taken = 0;
  while (taken < 100 && (await take())) {
    taken += 1;
    vi.advanceTimersByTime(20);
  }
  return taken;
};

test.each([
  [60, [30, 30, 30, 30, 30, 30]],
  [2, [1, 1, 1, 1, 1, 1]],
  [1, [1, 0, 1, 0, 1, 0]],
])(
  'of %d requests a minute each poll once a minute gets its half, though ticks come a little early',
  async (requestsPerMinute, expected) => {
    const budget = pollBudget({
      baseUrl: 'https://shop.example/api/v1',
      apiKey: `key-${requestsPerMinute}`,
      requestsPerMinute,
    });
    const taken: number[] = [];
    for (const jitter of [9, 0, 7, 3, 10, 1]) {
      const due = 60_000 * (taken.length + 1) + jitter - performance.now();
      vi.advanceTimersByTime(due);
      taken.push(await takeAll(() => budget.take()));
    }
    expect(taken).toEqual(expected);
  },
);

test('the latest number of requests per minute holds, and requests already made still count', async () => {
  const budgetOf = (requestsPerMinute: number) =>
    pollBudget({ baseUrl: 'https://shop.example/api/v1', apiKey: 'changed', requestsPerMinute });
  const taken = async (requestsPerMinute: number) => {
    const budget = budgetOf(requestsPerMinute);
    return takeAll(() => budget.take());
  };
  expect([await taken(4), await taken(60), await taken(20)]).toEqual([2, 28, 0]);
});
