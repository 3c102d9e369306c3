import { createClient } from '@order-license/core';
import { startMock } from '../mock-process.ts';
import { table } from '../table.ts';

const calls = 180;
const inFlight = 8;
const minMs = (calls / 60 - 1) * 60_000;

/** Makes 180 calls over real HTTP in real minutes, with the documented limit and with sliding windows. */
export const benchRealTime = async (): Promise<string> => {
  const one = async (window: string): Promise<string[]> => {
    const mock = await startMock('--window', window);
    try {
      let rejected = 0;
      const client = createClient({
        baseUrl: mock.baseUrl,
        apiKey: mock.apiKey,
        concurrency: inFlight,
        onEvent: ({ type }) => {
          rejected += type === 'rate_limited' ? 1 : 0;
        },
      });
      const startedAt = performance.now();
      await Promise.all(Array.from({ length: calls }, () => client.getMe()));
      return [window, String(rejected), ((performance.now() - startedAt) / minMs).toFixed(3)];
    } finally {
      mock.stop();
    }
  };
  const rows = await Promise.all(['lockout', 'sliding', 'slidingStrict'].map(one));
  return table([`${calls} calls, ${inFlight} in flight, real 60 s`, '429', 'time / minimum'], rows);
};

if (import.meta.main) console.log(await benchRealTime());
