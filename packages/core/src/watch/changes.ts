import type { ChangesState } from '../base/changes-state.ts';
import { checkNumber } from '../base/checks.ts';
import { isOrderLicenseError, ownMessage } from '../base/errors.ts';
import { hash } from '../base/hash.ts';
import type { Signal } from '../base/signal.ts';
import type { StatusFilter } from '../model/order.ts';
import { beginCodes } from './codes.ts';
import { type ChangeEvent, type ChangeName, selectionOf, sortEvents } from './events.ts';
import { readHead } from './head.ts';
import type { Poll } from './poll.ts';
import { createReads, mayPass, type Reads, type WatchedClient } from './reads.ts';
import { beginLists } from './record.ts';
import { readState, saveState } from './saved-state.ts';
import { readSingles } from './single-orders.ts';
import { newState, type WatchState } from './state.ts';
import { readStatusLists } from './status-lists.ts';
import { tellHeld } from './tell.ts';

export interface ChangesOptions {
  /**
   * The state that the previous poll returned. Omit it to record the baseline, which reports no events for existing
   * orders.
   */
  state?: ChangesState | undefined;
  /** The events to report: `newOrder`, `statusChanged`, `paid`, `completed`, `licenseCodeAvailable`. */
  events: readonly ChangeName[];
  /** Report only orders that have one of these statuses when the event occurs. @default any */
  statuses?: readonly StatusFilter[] | undefined;
  /**
   * `all`: also changes of completed and cancelled orders.
   * @default 'open': changes of pending and paid orders
   */
  watch?: 'open' | 'all' | undefined;
  /**
   * Whether events include the whole order as `details`: true for all events, or a list of events. Costs one more
   * request per order, except for `licenseCodeAvailable`. @default false
   */
  includeDetails?: boolean | readonly ChangeName[] | undefined;
  /** Time limit for the poll, ms. @default 50_000 */
  deadlineMs?: number | undefined;
  /** Name of the consumer, as for every call: polls take turns with other consumers of the key. */
  consumer?: string | undefined;
  signal?: Signal | undefined;
}

/** The result of one poll. */
export interface Changes {
  /** The events of the poll, those of the oldest orders first. */
  events: ChangeEvent[];
  /**
   * The state to pass to the next poll. Save it once the events are handled: a crash then repeats events but loses
   * none.
   */
  state: ChangesState;
  /** Sentences for a log. They say what failed and will be retried, or what exceeds a limit. */
  warnings: string[];
}

/** Once polls have been incomplete for this long, a poll that fails without events throws. */
const maxSilenceSeconds = 600;

/**
 * Polls once.
 * @param keyOf returns a hash of the base URL and the API key
 */
export const pollChanges = async (
  client: WatchedClient,
  keyOf: () => Promise<string>,
  options: ChangesOptions,
): Promise<Changes> => {
  const { state: given, deadlineMs = 50_000, consumer, signal, ...selected } = options;
  const selection = selectionOf(selected);
  checkNumber('deadlineMs', deadlineMs, 1, Infinity);
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const saved = readState(given);
  if (given !== undefined && !saved) {
    warn(
      'The state is not from this version of the library. This poll records the existing orders as a new baseline and reports no events for them.',
    );
  }
  const state = saved ?? newState();
  setClock(state);
  const reads = createReads({ client, options: { signal, consumer }, deadlineMs, state, warn });
  const isHourOver = state.now - state.warnedAt >= 3_600;
  const warned = new Set<string>();
  const warnHourly = (topic: string, message: string): void => {
    if (!isHourOver || warned.has(topic)) return;
    warned.add(topic);
    state.warnedAt = state.now;
    warn(message);
  };
  const poll: Poll = { state, selection, reads, events: [], isStart: !state.head, warn, warnHourly };
  let pageError: unknown;
  const error = await errorOf(async () => {
    await checkAccount(state, await keyOf(), reads);
    poll.isStart = !state.head;
    pageError = await run(poll);
  });
  if (!state.head) throw error ?? reads.unsent();
  const isComplete = !error && [...state.lists.values()].every(({ failedPage }) => failedPage === undefined);
  state.silentSince = isComplete ? null : (state.silentSince ?? state.now);
  const isSilent = state.now - (state.silentSince ?? state.now) >= maxSilenceSeconds;
  const failure = error ?? pageError;
  if (failure && poll.events.length === 0 && (isSilent || !mayPass(failure)))
    throw withProgress(failure, saveState(state), warnings);
  if (error) warn(`The poll ended early; the next poll will continue. ${messageOf(error)}`);
  return { events: sortEvents(poll.events), state: saveState(state), warnings };
};

/** Advances the state's time with the system's clock, unless that clock was set back. */
const setClock = (state: WatchState): void => {
  const systemNow = Math.floor(Date.now() / 1000);
  state.now += Math.max(0, systemNow - state.systemNow);
  state.systemNow = systemNow;
};

/**
 * Reads lists before single orders, so that an order that cannot be read delays only itself.
 * @returns the error of a page of a status list, if one failed
 */
const run = async (poll: Poll): Promise<unknown> => {
  const { state, reads } = poll;
  beginLists(poll);
  beginCodes(poll);
  const error = await errorOf(async () => {
    if (!(await readHead(poll))) throw reads.unsent();
  });
  // If only a page below the first one failed, the poll continues. That delays only the new orders on the pages that were
  // not read.
  if (error && (!state.head || !reads.hasRead() || !mayPass(error))) throw error;
  const pageError = await readStatusLists(poll);
  await readSingles(poll);
  await tellHeld(poll);
  if (error) throw error;
  return pageError;
};

/** Adds `state` and `warnings` to an error of this library, but not to what the error prints. */
const withProgress = (error: unknown, state: ChangesState, warnings: string[]): unknown =>
  isOrderLicenseError(error)
    ? Object.defineProperties(error, {
        state: { value: state, configurable: true },
        warnings: { value: warnings, configurable: true },
      })
    : error;

const errorOf = async (work: () => Promise<void>): Promise<unknown> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
};

/** Starts with a new baseline if the account is a different one. */
const checkAccount = async (state: WatchState, key: string, reads: Reads): Promise<void> => {
  if (state.key === key) return;
  const user = await reads.getMe();
  if (!user) throw reads.unsent();
  const account = hash(`${key.split('.')[0]} ${user.user_id ?? (user.email || key)}`);
  const { now, systemNow } = state;
  if (state.account !== account) Object.assign(state, newState(), { now, systemNow });
  Object.assign(state, { account, key });
};

const messageOf = (error: unknown): string => (isOrderLicenseError(error) ? ownMessage(error) : String(error));
