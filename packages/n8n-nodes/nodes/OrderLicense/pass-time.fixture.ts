import type { MockServer } from '@order-license/mock-api';
import { expect, vi } from 'vitest';

/** Lets time pass, here and at the service, a second at a time until the work is done. */
export const passTime = async <T>(service: MockServer, work: Promise<T>): Promise<T> => {
  let ended = false;
  const end = () => {
    ended = true;
  };
  work.then(end, end);
  await vi.waitFor(
    () => {
      vi.advanceTimersByTime(1_000);
      service.clock.advance(1_000);
      expect(ended).toBe(true);
    },
    { interval: 2, timeout: 10_000 },
  );
  return work;
};
