import { installFakeTime } from '@order-license/testing/fake-time';

/** Advances virtual time, timer by timer, until the work is done. */
export const { run } = installFakeTime({ now: Date.UTC(2026, 0, 1) });

/** Returns the virtual time, ms. Import this file before any library that reads a clock. */
export const now = (): number => performance.now();

export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
