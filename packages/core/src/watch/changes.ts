import type { ChangesState } from '../base/changes-state.ts';
import { checkNumber } from '../base/checks.ts';
import { isOrderLicenseError, ownMessage } from '../base/errors.ts';
import { hash } from '../base/hash.ts';
import type { Signal } from '../base/signal.ts';
import { hasLicenseCodes, orderStatuses, type StatusFilter } from '../model/order.ts';
import { dropOld, readDue } from './due-orders.ts';
import { type ChangeEvent, type ChangeName, type Selection, selectionOf, sortEvents, wantsCodes } from './events.ts';
import { readHead } from './head.ts';
import { createPoll, isUnsent, mayPass, type Poll, update, type WatchedClient } from './poll.ts';
import { newState, newSweep, readState, saveState, unreadCodes, type WatchState } from './state.ts';
import { readLists, readNewStatuses } from './sweep.ts';

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
  /** Time limit for the poll, ms. No request is sent in the last 1,500 ms. @default 50_000 */
  deadlineMs?: number | undefined;
  /** Name of the consumer, as for every call: polls take turns with other consumers of the key. */
  consumer?: string | undefined;
  /** Cancels the poll. */
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
  /**
   * False if the poll left something undone for lack of time or permits: call again to continue. What failed is due
   * later and does not count, so a loop until `complete` ends. A poll that gets no permit waits until the next one or
   * the end of its time, so such a loop does not spin.
   */
  complete: boolean;
  /** Sentences for a log. They say what failed and will be retried, or what exceeds a limit. */
  warnings: string[];
}

/** Once polls have failed or left a page unread for this long, a poll that fails without events throws. */
const maxSilenceSeconds = 600;

/**
 * Polls once. Throws as `Client.changes` says.
 * @param keyOf returns a hash of the base URL and, behind a dot, one of both the base URL and the API key
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
  const state: WatchState = { ...(saved ?? newState()), now: Math.floor(Date.now() / 1000) };
  const endsAt = client.now() + deadlineMs;
  const poll = createPoll({ client, options: { signal, consumer }, deadlineMs, state, selection, warn });
  const error = await run(poll, keyOf);
  if (!state.head) throw error;
  // A loop until the poll is complete must not spin while no request can be sent.
  const isUnfinished = poll.isCutShort && isUnsent(error);
  if (isUnfinished)
    await client.sleep(Math.max(0, Math.min(endsAt - client.now(), error.retryAfterMs ?? Infinity)), signal);
  const failure = error ?? poll.pageError;
  const silentSince = failure ? ((saved && given?.silentSince) ?? state.now) : null;
  const isSilent = silentSince !== null && state.now - silentSince >= maxSilenceSeconds;
  if (failure && poll.events.length === 0 && (isSilent || !mayPass(failure)))
    throw withProgress(failure, saveState(state, silentSince), warnings);
  if (error && !isUnfinished) warn(`The poll ended early; the next poll will continue. ${messageOf(error)}`);
  return {
    events: sortEvents(poll.events),
    state: saveState(state, silentSince),
    complete: !poll.isCutShort,
    warnings,
  };
};

/**
 * Reads lists before single orders, so that an order that cannot be read delays only itself. If only a page below the
 * first one failed, the poll continues: that delays only the new orders on the pages that were not read.
 * @returns the first error that is not about a single order, or a page of a status list
 */
const run = async (poll: Poll, keyOf: () => Promise<string>): Promise<unknown> => {
  let error: unknown;
  const begin = async (): Promise<void> => {
    await checkAccount(poll, await keyOf());
    beginLists(poll);
    await readHead(poll);
  };
  for (const step of [begin, readLists, readNewStatuses, dropOld, readDue]) {
    try {
      await step(poll);
    } catch (thrown) {
      // What could not be sent after the first page is left to the next poll.
      if (isUnsent(thrown) && poll.hasRead && poll.state.head) continue;
      error ??= thrown;
      if (!poll.state.head || !poll.hasRead || !mayPass(thrown)) return error;
    }
  }
  return error;
};

/** Adds `state` and `warnings` to an error of this library, but not to what the error prints. */
const withProgress = (error: unknown, state: ChangesState, warnings: string[]): unknown =>
  isOrderLicenseError(error)
    ? Object.defineProperties(error, {
        state: { value: state, configurable: true },
        warnings: { value: warnings, configurable: true },
      })
    : error;

const otherAccount =
  'The state is from another account or base URL. This poll records the existing orders as a new baseline and reports no events for them.';

/** Starts with a new baseline if the account is a different one. */
const checkAccount = async (poll: Poll, key: string): Promise<void> => {
  const { state } = poll;
  if (state.key === key) return;
  const user = await poll.getMe();
  const account = hash(`${key.split('.')[0]} ${user.user_id ?? (user.email || key)}`);
  if (state.account !== account) {
    if (state.head) poll.warn(otherAccount);
    Object.assign(state, { ...newState(), now: state.now });
  }
  Object.assign(state, { account, key });
  poll.isStart = !state.head;
};

/** Makes the state watch the lists and license codes that the selected events need, and no others. */
const beginLists = ({ state, selection }: Poll): void => {
  const { orders, now } = state;
  const before = state.lists;
  state.lists = new Map(watchedLists(selection).map((status) => [status, before.get(status) ?? newSweep(now)]));
  const dropped: string[] = [...before.keys()].filter((status) => !state.lists.has(status));
  const hasCodes = wantsCodes(selection);
  const isOther = hasCodes !== state.hasCodes;
  state.hasCodes = hasCodes;
  for (const [id, { status }] of orders) {
    const codes = hasCodes && hasLicenseCodes(status) ? unreadCodes(now) : { codes: undefined, codesAt: undefined };
    if (dropped.includes(status)) orders.delete(id);
    else if (isOther) update(state, id, codes);
  }
};

const watchedLists = ({ events, watch }: Selection): StatusFilter[] => {
  const others = events.filter((event) => event !== 'newOrder');
  if (others.length === 0) return [];
  if (watch === 'all') return orderStatuses;
  return others.every((event) => event === 'paid') ? ['ausstehend'] : ['ausstehend', 'bezahlt'];
};

const messageOf = (error: unknown): string => (isOrderLicenseError(error) ? ownMessage(error) : String(error));
