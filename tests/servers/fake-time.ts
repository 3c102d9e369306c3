import { installFakeTime } from '@order-license/testing/fake-time';
import { vi } from 'vitest';

const realAbortTimeout = AbortSignal.timeout.bind(AbortSignal);
let now = Date.UTC(2030, 0, 1);
let uptimeMs = 0;

/**
 * Runs `work` in a time of its own, which goes on from one call to the next and in which waits take no time.
 * @param hasty whether the limit of 30 s on an exchange takes 0.3 s: where nothing comes anyway
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

/** Lets a minute and some pass before the next work: all permits of all keys are back then. */
export const passMinute = (): void => {
  now += 70_000;
  uptimeMs += 70_000;
};
