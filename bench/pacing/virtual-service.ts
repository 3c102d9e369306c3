import { createRandom } from '@order-license/testing/random';
import { createLimiter } from '../../packages/mock-api/src/limit/limiter.ts';
import { now, sleep } from './virtual-time.ts';

export const windows = ['lockout', 'fixed', 'minute', 'sliding', 'slidingStrict', 'extend', 'bucket'] as const;
export type Window = (typeof windows)[number];

/**
 * Returns the extra time that a request takes to arrive, compared with a quiet network, ms.
 * @param elapsedMs time since the first request
 */
type Delay = (elapsedMs: number, random: () => number) => number;

export const networks = {
  'quiet network': () => 0,
  'up to 2 s of jitter': (_, random) => random() * 2_000,
  '2 s slower every other minute': (elapsedMs) => (elapsedMs % 120_000 < 60_000 ? 2_000 : 0),
} satisfies Record<string, Delay>;
export type Network = keyof typeof networks;

export interface VirtualService {
  /**
   * Sends one request, and returns its status after a round trip.
   * @throws after 1,000 rejections, because such a client would never finish
   */
  request(): Promise<number>;
  served(): number;
  rejected(): number;
}

/**
 * Creates an API behind a simulated network, with one of the mock's window models. A request takes 40 to 120 ms or
 * longer to reach the API, and the response takes 30 to 90 ms.
 */
export const createVirtualService = (
  window: Window,
  seed: number,
  network: Network = 'quiet network',
): VirtualService => {
  const delay: Delay = networks[network];
  const startedAt = now();
  const random = createRandom(seed);
  const limiter = createLimiter();
  let served = 0;
  let rejected = 0;
  let connections = 0;
  let open = 0;
  return {
    async request() {
      open += 1;
      // A new connection adds a handshake.
      const handshake = open > connections ? 300 : 0;
      connections = Math.max(connections, open);
      await sleep(handshake + 40 + random() * 80 + delay(now() - startedAt, random));
      const { allowed } = limiter.take('key', Date.now(), { window, windowMs: 60_000, limit: 60 });
      if (allowed) served += 1;
      else rejected += 1;
      if (rejected > 1_000) throw new Error('1,000 requests were rejected');
      await sleep(30 + random() * 60);
      open -= 1;
      return allowed ? 200 : 429;
    },
    served: () => served,
    rejected: () => rejected,
  };
};
