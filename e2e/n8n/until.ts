import { setTimeout } from 'node:timers/promises';
import type { MockServer } from '../../packages/mock-api/src/index.ts';

/**
 * Waits until a condition is met.
 * @throws if it is not met within a minute
 */
export const until = async (what: string, happened: () => boolean | Promise<boolean>): Promise<void> => {
  for (const giveUpAt = performance.now() + 60_000; !(await happened()); await setTimeout(50)) {
    if (performance.now() > giveUpAt) throw new Error(`this did not happen within a minute: ${what}`);
  }
};

/** Waits until two more polls of a trigger have ended. Each poll reads the first page of the list once. */
export const untilPolledTwice = async ({ journal }: Pick<MockServer, 'journal'>): Promise<void> => {
  const from = journal.total();
  const heads = () => journal.entries().filter(({ number, query }) => number > from && query === 'page=1&per_page=50');
  await until('two polls', () => heads().length >= 3);
};
