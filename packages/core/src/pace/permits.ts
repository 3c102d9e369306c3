import { maxFlightMs } from '../base/call-options.ts';
import type { Denial, Limit } from './store.ts';

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

/**
 * Returns how long a call waits for a permit, ms, if `ahead` other calls are in front and the call leaves `reserve`
 * permits to others.
 */
export type Waits = (ahead: number, reserve?: number) => number;

const maxPauseMs = 300_000;

export const createRecord = (generation = ''): PermitRecord => ({ generation, latest: 0, pausedUntil: 0, permits: {} });

/** Returns how many permits can be taken at once by calls that leave `reserve` permits to others. */
const available = ({ requests }: Limit, reserve: number): number => Math.max(1, requests - reserve);

/** Returns a forecast of the waits for a permit, as of `at`. */
export const waitsAt = ({ permits, pausedUntil }: PermitRecord, at: number, limit: Limit): Waits => {
  // The permit of a request in flight returns `holdMs` from now at the earliest.
  const returnsInMs = Object.values(permits)
    .filter((returnsAt) => returnsAt > at)
    .map((returnsAt) => Math.min(returnsAt - at, limit.holdMs))
    .sort((one, other) => one - other);
  return (ahead, reserve = 0) => {
    const requests = available(limit, reserve);
    // Every `requests` calls in front use each permit once, which takes `holdMs`.
    const rounds = Math.floor(ahead / requests);
    const returns = returnsInMs.length + (ahead % requests) - requests;
    return Math.max(returnsInMs[returns] ?? 0, pausedUntil - at, 0) + rounds * limit.holdMs;
  };
};

/** Returns how many permits are free at `at`; none during a pause. */
export const freePermits = ({ permits, pausedUntil }: PermitRecord, at: number, { requests }: Limit): number => {
  const out = Object.values(permits).filter((returnsAt) => returnsAt > at).length;
  return pausedUntil > at ? 0 : Math.max(0, requests - out);
};

/**
 * Creates the denial for a request.
 * @param waits the waits as of `at`
 */
export const denialAt = (at: number, waits: Waits, reserve?: number) => {
  const forecast: Waits = (ahead, reserve) => at + waits(ahead, reserve);
  return { retryAt: forecast(0, reserve), forecast } satisfies Denial;
};

/**
 * Adds permit `id`, unless the limit has been reached or there is a pause.
 * @returns whether the permit was added
 */
export const takePermit = (record: PermitRecord, id: string, at: number, limit: Limit, reserve = 0): boolean => {
  if (freePermits(record, at, { ...limit, requests: available(limit, reserve) }) === 0) return false;
  addPermit(record, id, at, limit);
  return true;
};

/** Adds permit `id` in any case, and removes expired permits and an expired pause. */
export const addPermit = (record: PermitRecord, id: string, at: number, { holdMs }: Limit): void => {
  const { permits } = record;
  for (const [known, returnsAt] of Object.entries(permits)) if (returnsAt <= at) delete permits[known];
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
 * Adds the permits and the pause of `other`, unless they have expired. The current time is `at` on the clock of
 * `record`, and `otherAt` on the clock of `other`.
 */
export const mergePermits = (record: PermitRecord, at: number, other: PermitRecord, otherAt: number): void => {
  for (const [id, returnsAt] of Object.entries(other.permits)) {
    if (returnsAt > otherAt) settlePermit(record, id, at + returnsAt - otherAt);
  }
  if (other.pausedUntil > otherAt) pausePermits(record, at + other.pausedUntil - otherAt);
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
