import { installFakeTime } from '@order-license/testing/fake-time';
import { vi } from 'vitest';

const realAbortTimeout = AbortSignal.timeout.bind(AbortSignal);
let now = Date.UTC(2030, 0, 1);
let uptimeMs = 0;

/**
 * Runs `work` in virtual time, in which waits take no time. The next call continues at the time at which this one ends.
 * @param hasty whether timeouts are reduced to a hundredth, for cases in which no response arrives
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

/** Advances virtual time by 70 s. All permits of all keys have then returned. */
export const passMinute = (): void => {
  now += 70_000;
  uptimeMs += 70_000;
};
