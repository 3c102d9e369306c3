import { vi } from 'vitest';

const { setTimeout: realSetTimeout } = globalThis;
const realAbortTimeout = AbortSignal.timeout.bind(AbortSignal);
let date = Date.UTC(2030, 0, 1);
let performanceMs = 0;

/**
 * Runs `work` in a time of its own, in which waits take no time.
 * @param hasty whether the limit of 30 s on an exchange takes 0.3 s: where nothing comes anyway
 */
export const inFakeTime = async <Result>(work: () => Result | Promise<Result>, hasty = false): Promise<Result> => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  vi.advanceTimersByTime(performanceMs);
  vi.setSystemTime(date);
  const limit = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((ms) => realAbortTimeout(Math.ceil(hasty ? ms / 100 : ms)));
  let ended = false;
  const working = Promise.resolve(work()).finally(() => {
    ended = true;
  });
  try {
    working.catch(() => undefined);
    while (!ended) {
      await new Promise((resolve) => realSetTimeout(resolve, 0));
      // Whole ms alone pass, and a wait may end in a fraction of one.
      if (vi.getTimerCount() > 0) vi.advanceTimersToNextTimer().advanceTimersByTime(1);
    }
    return await working;
  } finally {
    date = Date.now();
    performanceMs = performance.now();
    limit.mockRestore();
    vi.useRealTimers();
  }
};

/** Lets a minute and some pass in that time: all permits of all keys are back then. */
export const passMinute = (): void => {
  vi.advanceTimersByTime(70_000);
};
