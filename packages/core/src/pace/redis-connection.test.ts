import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withTimeout } from './redis-connection.ts';

/** Resolves after so many turns of the event loop: connecting to Redis and its replies take several. */
const afterTurns = async (turns: number): Promise<string> => {
  for (let turn = 0; turn < turns; turn++) await setImmediate();
  return 'OK';
};

test('a reply that arrived while this process was busy is in time', async () => {
  const reply = withTimeout(afterTurns(5), 20);
  const busyUntil = performance.now() + 200;
  while (performance.now() < busyUntil);
  expect(await reply).toBe('OK');
});
