import type { Pacer } from './pacer.ts';
import type { PermitRequest } from './permit-request.ts';
import type { Permit } from './store.ts';

export interface PermitWish extends Partial<PermitRequest> {
  /** @default Infinity */
  maxWaitMs?: number | undefined;
}

/** A permit, as a promise. */
export const acquire = (pacer: Pacer, now: () => number, wish: PermitWish = {}): Promise<Permit> =>
  new Promise((grant, refuse) => {
    const { maxWaitMs = Infinity, deadlineMs = Infinity } = wish;
    const deadline = now() + deadlineMs;
    pacer.acquire({
      priority: 'bulk',
      patientUntil: Math.min(now() + maxWaitMs, deadline),
      deadline,
      deadlineMs,
      onWait: () => undefined,
      grant,
      refuse,
      ...wish,
    });
  });
