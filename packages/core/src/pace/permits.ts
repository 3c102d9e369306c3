import { maxFlightMs } from '../base/call-options.ts';
import type { Limit } from './store.ts';

/**
 * The permits and the pause of one key, as plain JSON. All times are in ms, on the clock that the record's users share.
 */
export interface PermitRecord {
  /** Random ID. A different ID than before means that the old record was lost and has been replaced. */
  generation: string;
  /** Time at which the record was last written. */
  latest: number;
  /** No permit is granted before this time. */
  pausedUntil: number;
  /**
   * The permits taken, by ID: the time at which the permit returns or, while its request is in flight, the time at
   * which the permit expires.
   */
  permits: Record<string, number>;
}

/** Longest plausible pause, ms; the API can ask for more, but does not get it. */
export const maxPauseMs = 300_000;

export const createRecord = (generation = ''): PermitRecord => ({ generation, latest: 0, pausedUntil: 0, permits: {} });

const countTaken = ({ permits }: PermitRecord, at: number): number => {
  let taken = 0;
  for (const id in permits) if ((permits[id] ?? 0) > at) taken += 1;
  return taken;
};

/** Returns how many permits are free at `at`; none during a pause. */
export const freePermits = (record: PermitRecord, at: number, { requests }: Limit): number =>
  record.pausedUntil > at ? 0 : Math.max(0, requests - countTaken(record, at));

/**
 * Returns the time from `at` until a permit is free for a call that leaves `reserve` permits to others, ms; 0 if one is
 * free now.
 */
export const waitFor = (
  record: PermitRecord,
  at: number,
  { requests, holdMs }: Limit,
  reserve: number | undefined = 0,
): number => {
  const pausedMs = Math.max(0, record.pausedUntil - at);
  const missing = countTaken(record, at) - Math.max(1, requests - reserve);
  if (missing < 0) return pausedMs;
  // The permit of a request in flight returns `holdMs` from now at the earliest.
  const returnsInMs = Object.values(record.permits)
    .filter((returnsAt) => returnsAt > at)
    .map((returnsAt) => Math.min(returnsAt - at, holdMs))
    .sort((one, other) => one - other);
  return Math.max(pausedMs, returnsInMs[missing] ?? 0);
};

/** Adds permit `id`, and removes expired permits and an expired pause. */
export const addPermit = (record: PermitRecord, id: string, at: number, { holdMs }: Limit): void => {
  const { permits } = record;
  for (const known in permits) if ((permits[known] ?? 0) <= at) delete permits[known];
  if (record.pausedUntil <= at) record.pausedUntil = 0;
  permits[id] = at + maxFlightMs + holdMs;
};

/** Makes permit `id` return at `returnsAt`, but never later than already recorded, so a second call changes nothing. */
export const settlePermit = ({ permits }: PermitRecord, id: string, returnsAt: number): void => {
  permits[id] = Math.min(permits[id] ?? Number.POSITIVE_INFINITY, returnsAt);
};

/** Records a pause. An earlier pause is never shortened. */
export const pausePermits = (record: PermitRecord, until: number): void => {
  record.pausedUntil = Math.max(record.pausedUntil, until);
};

/**
 * Corrects times that are too far in the future because the clock was set back after they were written. Their age is
 * unknown, so they count as written now.
 */
export const undoClockJump = (record: PermitRecord, at: number, { holdMs }: Limit): void => {
  for (const [id, returnsAt] of Object.entries(record.permits)) {
    if (returnsAt > at + maxFlightMs + holdMs) record.permits[id] = at + holdMs;
  }
  record.pausedUntil = Math.min(record.pausedUntil, at + maxPauseMs);
};

/**
 * Returns when a record expires: once everything in it has expired, but no sooner than `holdMs` after it was last
 * written.
 */
export const keptUntil = ({ latest, pausedUntil, permits }: PermitRecord, { holdMs }: Limit): number =>
  Object.values(permits).reduce((one, other) => Math.max(one, other), Math.max(latest + holdMs, pausedUntil));
