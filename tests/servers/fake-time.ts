import { installFakeTime } from '@order-license/testing/fake-time';
import { vi } from 'vitest';

const realAbortTimeout = AbortSignal.timeout.bind(AbortSignal);
let now = Date.UTC(2030, 0, 1);
let uptimeMs = 0;

/**
 * Runs `work` in its own virtual time, which continues from call to call and in which waits take no time.
 * @param hasty whether the 30 s timeout of a request takes 0.3 s: for cases in which nothing arrives
 */
export const inFakeTime = async <Result>(work: () => Result | Promise<Result>, hasty = false): Promise<Result> => {
  const time = installFakeTime({ now, uptimeMs });
  const limit = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((ms) => realAbortTimeout(Math.ceil(hasty ? ms / 100 : ms)));
  try {
    return await time.run((async () => work())(), { io: true });
  } finally {
    now = Date.now();
    uptimeMs = performance.now();
    limit.mockRestore();
    time.uninstall();
  }
};

/** Advances a little over a minute before the next work: by then, all permits of all keys have returned. */
export const passMinute = (): void => {
  now += 70_000;
  uptimeMs += 70_000;
};
