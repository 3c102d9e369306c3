import type { Client } from '@modelcontextprotocol/client';
import { type ClientOptions, createClient, type Host } from '@order-license/core/portable';
import type { Masking } from '../answers/masked-answer.ts';
import { connectInProcess } from './in-process.fixture.ts';

let made = 0;

/**
 * Connects a client to a server whose API is a function: for each URL, it returns the `data` of a response, or the
 * status of an error. Waits take no time.
 */
export const connectToCanned = (
  answer: (url: string) => { data: unknown } | { status: number },
  more: Partial<ClientOptions> = {},
  masking?: Masking,
): Promise<Client> => {
  const host: Host = {
    now: () => 0,
    sleep: async () => undefined,
    async send({ url }) {
      const canned = answer(url);
      const body = 'data' in canned ? { status: 200, ...canned } : { ...canned, error: 'no' };
      return { status: body.status, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)) };
    },
  };
  // Clients with the same base URL and key would share their rate limit.
  const baseUrl = `https://canned-${++made}.example/api/v1`;
  const rateLimit = { requests: 1_000_000, minGapMs: 0 };
  const core = createClient({ host, baseUrl, apiKey: 'key', rateLimit, ...more });
  return connectInProcess(async () => core, masking);
};
