import { createMemoryStore, type MemoryStore } from '@order-license/core/portable';
import type { Credential } from '../shared/client';

/** What polling may spend of an API key in this process, all triggers together. */
export interface PollBudget {
  /** Counts one request; false when polling has had its share for now. */
  take(): Promise<boolean>;
}

const byKey = new Map<string, MemoryStore>();

/** Half of the requests per minute: the other half is for people who wait for an answer. */
export const pollBudget = ({ baseUrl, apiKey, requestsPerMinute }: Credential): PollBudget => {
  const key = `${baseUrl}\n${apiKey}`;
  const limit = {
    requests: Math.max(1, Math.floor(requestsPerMinute / 2)),
    // One request a minute has no half: then it is one in two minutes. Polls come once a minute, never to the
    // millisecond, and take a while: counted over the whole time, one would meet the requests of the one before.
    windowMs: requestsPerMinute < 2 ? 110_000 : 50_000,
    guardMs: 0,
  };
  const store = byKey.get(key) ?? createMemoryStore({ ...limit, now: () => performance.now() });
  store.setLimit(limit);
  byKey.set(key, store);
  return {
    async take() {
      const answer = await store.take();
      if (!('permit' in answer)) return false;
      await store.settle(answer.permit);
      return true;
    },
  };
};
