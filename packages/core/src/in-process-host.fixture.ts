import { createMock, type MockOptions } from '@order-license/mock-api';
import { type Host, timeoutError } from './portable/index.ts';
import { createVirtualClock } from './virtual-clock.fixture.ts';

/**
 * The mock in this process, in virtual time: its clock follows ours, and a request takes `tripMs` there and back.
 * `trip` may change with every request.
 */
export const createInProcessHost = (options: MockOptions = {}, tripMs: () => number = () => 50) => {
  const clock = createVirtualClock();
  const mock = createMock({ frozenAt: Date.UTC(2026, 10, 21), ...options });
  let followed = 0;
  const host = (apiKey: string): Host => ({
    now: clock.now,
    sleep: clock.sleep,
    async send({ url, headers, signal, timeoutMs }) {
      const [there, back] = [tripMs(), tripMs()];
      if (there + back > timeoutMs) {
        await clock.sleep(timeoutMs, signal);
        throw timeoutError(timeoutMs);
      }
      await clock.sleep(there, signal);
      mock.clock.advance(clock.now() - followed);
      followed = clock.now();
      const response = await mock.fetch(url, { headers: { ...headers, authorization: `Bearer ${apiKey}` } });
      await clock.sleep(back, signal);
      const body = new Uint8Array(await response.arrayBuffer());
      return { status: response.status, headers: Object.fromEntries(response.headers), body };
    },
  });
  return { clock, mock, host };
};
