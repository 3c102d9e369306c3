import type { Stops } from '../base/stops.ts';
import type { Queued } from './queue.ts';
import type { Permit } from './store.ts';

/** A request for a permit. Its stops end the wait. */
export interface PermitRequest extends Queued, Partial<Stops> {
  /** Whether a background request may use the reserve. */
  useReserve?: boolean | undefined;
  /**
   * Latest time at which a wait for the rate limit may end. The request is rejected as soon as the next permit is known
   * to come later. Waits for other reasons do not count.
   */
  patientUntil: number;
  /** Time at which the wait must end, whatever the reason for the wait. */
  deadline: number;
  /** The timeout from which this deadline was computed, ms. */
  deadlineMs: number;
  /** Called once, if the limit delays the request, with the time until the next permit, ms: the least that it waits. */
  onWait?: ((waitMs: number) => void) | undefined;
}

/** A request in the queue. */
export interface Waiting extends PermitRequest {
  resolve(permit: Permit): void;
  reject(error: unknown): void;
}
