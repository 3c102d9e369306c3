import type { Pacer } from './pacer.ts';
import type { PermitRequest } from './permit-request.ts';
import type { Permit } from './store.ts';

export interface PermitWish extends Partial<PermitRequest> {
  /** @default Infinity */
  maxWaitMs?: number | undefined;
}

/** Acquires a permit. `wish` can omit what does not matter to a test. */
export const acquire = (pacer: Pacer, now: () => number, wish: PermitWish = {}): Promise<Permit> => {
  const { maxWaitMs = Infinity, deadlineMs = Infinity } = wish;
  const deadline = now() + deadlineMs;
  const patientUntil = Math.min(now() + maxWaitMs, deadline);
  return pacer.acquire({ priority: 'bulk', patientUntil, deadline, deadlineMs, ...wish });
};
