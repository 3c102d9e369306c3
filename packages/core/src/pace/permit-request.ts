import type { Priority } from '../base/call-options.ts';
import type { Place } from './fair-lane.ts';
import type { Permit } from './store.ts';

export interface PermitRequest {
  readonly priority: Priority;
  /** For a background request: it may use the reserve. */
  readonly useReserve?: boolean;
  /** Requests of one priority take turns by this, compared by identity. */
  readonly consumer?: unknown;
  /** Maximum wait for the limit: refused as soon as a longer one is known. Other waits do not count. */
  readonly patientUntil: number;
  /** Maximum total wait. */
  readonly deadline: number;
  /** The timeout that this deadline stems from, ms. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Ends the wait as `signal` does; the client's, and so shared by many requests. */
  readonly closing?: AbortSignal | undefined;
  /** Called once, if the limit delays the request. */
  onWait(wait: Wait): void;
  /** One request may be sent. */
  grant(permit: Permit): void;
  /** None may be sent. */
  refuse(error: unknown): void;
}

export interface Wait {
  /** Place in this process's queue: 1 is served next. */
  place: number;
  /** Expected wait, ms. */
  waitMs: number;
}

/** A request in the queue. Thousands may wait: this and the request are the only memory per call. */
export type Waiting = Place<PermitRequest>;

/** The lanes of the queue, the first served first. */
export const lanes = [0, 1, 2, 3];

export const laneOf = ({ priority, useReserve }: PermitRequest): number => {
  if (priority === 'interactive') return 0;
  if (priority === 'background') return useReserve ? 1 : 2;
  return 3;
};

export const leavesReserve = (lane: number): boolean => lane >= 2;
