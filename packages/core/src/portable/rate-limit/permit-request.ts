import type { Priority } from '../base/call-options.ts';
import type { Permit } from './store.ts';
import type { Place } from './wait-queue.ts';

export interface PermitRequest {
  priority: Priority;
  /** Of a background request: it may use the reserve. */
  useReserve?: boolean;
  /** Requests of one priority take turns by this, compared by identity. */
  consumer?: unknown;
  /** A longer wait than this for the limit is refused as soon as it is known, ms. Other waits are not counted. */
  maxWaitMs: number;
  /** The longest wait for anything, ms. */
  deadlineMs: number;
  signal: AbortSignal | undefined;
  /** Ends the wait as `signal` does; of the client, and so shared by many requests. */
  closing?: AbortSignal | undefined;
  /** Called once, when the request cannot be sent at once for the limit. */
  onWait(wait: Wait): void;
}

export interface Wait {
  /** In the queue of this process: 1 is served next. */
  place: number;
  /** Expected, ms. */
  waitMs: number;
}

/** A request in the queue. */
export interface Waiting extends PermitRequest {
  place: Place<Waiting>;
  /** The host's clock when the wait for the limit becomes too long. */
  patientUntil: number;
  grant(permit: Permit): void;
  refuse(error: unknown): void;
}

export const isWaiting = ({ place }: Waiting): boolean => place.isTaken;

/** The lanes of the queue, the first served first. */
export const lanes = [0, 1, 2, 3];

export const laneOf = ({ priority, useReserve }: PermitRequest): number => {
  if (priority === 'interactive') return 0;
  if (priority === 'background') return useReserve ? 1 : 2;
  return 3;
};

export const leavesReserve = (lane: number): boolean => lane >= 2;
