import type { Priority } from '../base/call-options.ts';
import type { Place } from './fair-lane.ts';
import type { Permit } from './store.ts';

export interface PermitRequest {
  readonly priority: Priority;
  /** Of a background request: it may use the reserve. */
  readonly useReserve?: boolean;
  /** Requests of one priority take turns by this, compared by identity. */
  readonly consumer?: unknown;
  /** When a wait for the limit is too long: refused as soon as it is known. Other waits are not counted. */
  readonly patientUntil: number;
  /** When any wait is too long. */
  readonly deadline: number;
  /** The time that ends with it, ms. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Ends the wait as `signal` does; of the client, and so shared by many requests. */
  readonly closing?: AbortSignal | undefined;
  /** Called once, when the request cannot be sent at once for the limit. */
  onWait(wait: Wait): void;
  /** One request may be sent. */
  grant(permit: Permit): void;
  /** None may be sent. */
  refuse(error: unknown): void;
}

export interface Wait {
  /** In the queue of this process: 1 is served next. */
  place: number;
  /** Expected, ms. */
  waitMs: number;
}

/** A request in the queue. Thousands may wait: this and the request are all that is kept of one. */
export type Waiting = Place<PermitRequest>;

/** The lanes of the queue, the first served first. */
export const lanes = [0, 1, 2, 3];

export const laneOf = ({ priority, useReserve }: PermitRequest): number => {
  if (priority === 'interactive') return 0;
  if (priority === 'background') return useReserve ? 1 : 2;
  return 3;
};

export const leavesReserve = (lane: number): boolean => lane >= 2;
