import { type FakeTime, installFakeTime } from '@order-license/testing/fake-time';

export const startsAt = Date.UTC(2030, 0, 1);
export const minuteMs = 60_000;
export const hourMs = 3_600_000;

/** Runs `work` in its own virtual time, which starts at `startsAt` and in which waits take no time. */
export const inVirtualTime = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const time: FakeTime = installFakeTime({ now: startsAt, abortTimeouts: true });
  try {
    return await time.run(work());
  } finally {
    time.uninstall();
  }
};

/** The longest delay that a timer supports. With a longer delay, the timer would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

export const sleep = async (ms: number): Promise<void> => {
  let left = Math.max(0, Math.ceil(ms));
  for (; left > maxTimerMs; left -= maxTimerMs) await timer(maxTimerMs);
  await timer(left);
};

const timer = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const sleepUntil = (at: number): Promise<void> => sleep(at - Date.now());
