import { type FakeTime, installFakeTime } from '@order-license/testing/fake-time';

export const startsAt = Date.UTC(2030, 0, 1);
export const minuteMs = 60_000;
export const hourMs = 3_600_000;

/** Runs `work` in a time of its own, in which waits take no time; it starts at `startsAt`. */
export const inVirtualTime = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const time: FakeTime = installFakeTime({ now: startsAt, abortTimeouts: true });
  try {
    return await time.run(work());
  } finally {
    time.uninstall();
  }
};

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, Math.ceil(ms))));

export const sleepUntil = (at: number): Promise<void> => sleep(at - Date.now());
