import { pbkdf2 } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { type FakeTime, installFakeTime } from './fake-time.ts';

let time: FakeTime;
afterEach(() => time.uninstall());

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('advances from timer to timer until the work is done', async () => {
  time = installFakeTime({ now: 0 });
  await time.run(sleep(86_400_000));
  expect(Date.now()).toBe(86_400_000);
});

test('does not advance during a DNS lookup, however long it takes', async () => {
  time = installFakeTime({ now: 0 });
  const hash = promisify(pbkdf2);
  // Occupies the four threads that do DNS lookups.
  const busy = Promise.all([1, 2, 3, 4].map(() => hash('', '', 20_000, 64, 'sha512')));
  const timer = setInterval(() => undefined, 1_000);
  await time.run(lookup('localhost'), { io: true });
  clearInterval(timer);
  await busy;
  expect(Date.now()).toBeLessThanOrEqual(1_001);
});
