import type { JournalEntry } from '@order-license/mock-api';
import { minuteMs } from './virtual-day.ts';

/** Counts requests that violate the API docs. */
export interface ViolationCount {
  add(request: Pick<JournalEntry, 'at' | 'status' | 'headers' | 'violations'>): void;
  /** Begins again for a program whose process has ended: the next process knows of no 429. */
  restart(program: string): void;
  count(): number;
}

/**
 * After a 429, the mock requires a wait for all requests with the key (S-84). But programs that divide a limit do not
 * know of each other's 429s, so here, only the program that received a 429 must wait. Programs differ in their
 * User-Agent.
 */
export const countViolations = (): ViolationCount => {
  const rejectedAt = new Map<string, number>();
  let count = 0;
  return {
    add({ at, status, headers, violations }) {
      const program = headers['user-agent']?.split('/')[0] ?? '';
      const mustWait = at - (rejectedAt.get(program) ?? Number.NEGATIVE_INFINITY) < minuteMs;
      if (violations.some(({ point }) => point !== 'S-84' || mustWait)) count += 1;
      if (status === 429) rejectedAt.set(program, at);
    },
    restart: (program) => void rejectedAt.delete(program),
    count: () => count,
  };
};
