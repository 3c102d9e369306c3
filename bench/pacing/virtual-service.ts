import { createRandom } from '@order-license/testing/random';
import { createLimiter } from '../../packages/mock-api/src/api/rate-limiter.ts';
import { sleep } from './virtual-time.ts';

export const windows = ['lockout', 'fixed', 'minute', 'sliding', 'slidingStrict', 'extend', 'bucket'] as const;
export type Window = (typeof windows)[number];

export interface VirtualService {
  /**
   * Sends one request and returns its status after a round trip.
   * @throws after 1,000 refusals: a client with that many would never finish
   */
  request(): Promise<number>;
  served(): number;
  refused(): number;
}

/** A service with one of the mock's window models behind a network: 40 to 120 ms to the service, 30 to 90 ms back. */
export const createVirtualService = (window: Window, seed: number): VirtualService => {
  const random = createRandom(seed);
  const limiter = createLimiter();
  let served = 0;
  let refused = 0;
  let connections = 0;
  let open = 0;
  return {
    async request() {
      open += 1;
      // A new connection adds its handshake.
      const handshake = open > connections ? 300 : 0;
      connections = Math.max(connections, open);
      await sleep(handshake + 40 + random() * 80);
      const { allowed } = limiter.take('key', Date.now(), { window, windowMs: 60_000, limit: 60 });
      if (allowed) served += 1;
      else refused += 1;
      if (refused > 1_000) throw new Error('1,000 requests were refused');
      await sleep(30 + random() * 60);
      open -= 1;
      return allowed ? 200 : 429;
    },
    served: () => served,
    refused: () => refused,
  };
};
