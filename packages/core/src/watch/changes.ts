import { checkNumber } from '../base/checks.ts';
import { isOrderLicenseError, RateLimitError } from '../base/errors.ts';
import { hash } from '../base/hash.ts';
import type { Signal } from '../base/signal.ts';
import type { StatusFilter } from '../model/order.ts';
import { beginCodes } from './codes.ts';
import { type ChangeEvent, type ChangeName, selectionOf, sortEvents } from './events.ts';
import { readHead } from './head.ts';
import { readOpenOrders } from './open-orders.ts';
import { readSingles } from './reading-list.ts';
import { createReads, needsAPerson, type Reads, type WatchedClient } from './reads.ts';
import { type ChangesState, type Memory, newMemory, type Poll, readState, saveState } from './state.ts';
import { tellHeld } from './tell.ts';

export interface ChangesOptions {
  /** What the previous poll returned; nothing, for the baseline: what exists then is no event. */
  state?: ChangesState | undefined;
  /** What to report: `newOrder`, `statusChanged`, `paid`, `completed`, `licenseCodeAvailable`. */
  events: readonly ChangeName[];
  /** Report only orders that have one of these statuses when the event occurs. @default any */
  statuses?: readonly StatusFilter[] | undefined;
  /** `all`: also changes of completed and cancelled orders. @default 'open': those of pending and paid orders */
  watch?: 'open' | 'all' | undefined;
  /**
   * Read orders in full, as `details` of all events or of these. One more request per order, except for
   * `licenseCodeAvailable`. @default false
   */
  includeDetails?: boolean | readonly ChangeName[] | undefined;
  /** Time limit for the poll, ms. @default 50_000 */
  deadlineMs?: number | undefined;
  /** As in every call: polls take turns with other consumers of the key. */
  consumer?: string | undefined;
  signal?: Signal | undefined;
}

/** The result of one poll. */
export interface Changes {
  /** The oldest orders first. */
  events: ChangeEvent[];
  /** Pass it to the next poll. Save it once the events are handled: then a crash repeats events, and loses none. */
  state: ChangesState;
  /** What did not work and is tried again, or is beyond a limit: sentences for a log. */
  warnings: string[];
}

/** After this long without a list that could be read, polls throw. */
const maxSilenceSeconds = 600;

/** @param keyOf a hash of the base URL and the API key */
export const pollChanges = async (
  client: WatchedClient,
  keyOf: () => Promise<string>,
  options: ChangesOptions,
): Promise<Changes> => {
  const { state, deadlineMs = 50_000, consumer, signal, ...selected } = options;
  const selection = selectionOf(selected);
  checkNumber('deadlineMs', deadlineMs, 1, Infinity);
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const now = Math.floor(Date.now() / 1000);
  const saved = readState(state);
  if (state !== undefined && !saved) {
    warn('The state is not from this version. This poll records existing orders again and reports no events for them.');
  }
  const memory = saved ?? newMemory();
  const reads = createReads({
    client,
    options: { signal, consumer },
    endsAt: client.now() + deadlineMs,
    memory,
    now,
    isHurried: () => memory.held.some(({ since }) => since === now),
    warn,
  });
  await checkAccount(memory, await keyOf(), reads);
  const warnHourly = (message: string): void => {
    if (now - memory.warnedAt < 3_600 && memory.warnedAt <= now) return;
    memory.warnedAt = now;
    warn(message);
  };
  const poll: Poll = { memory, selection, reads, events: [], now, isStart: !memory.head, warn, warnHourly };
  const error = (await errorOf(() => read(poll))) ?? (await errorOf(() => tellHeld(poll)));
  if (error && poll.events.length === 0 && (needsAPerson(error) || !memory.head)) throw error;
  if (reads.hasRead()) memory.silentSince = null;
  else memory.silentSince = Math.min(memory.silentSince ?? now, now);
  if (!memory.head || now - (memory.silentSince ?? now) >= maxSilenceSeconds) throw error ?? noPermit();
  if (error) warn(`The poll ended early, and the next one continues: ${messageOf(error)}`);
  return { events: sortEvents(poll.events), state: saveState(memory), warnings };
};

/** Lists before single orders: an order that cannot be read delays itself alone. */
const read = async (poll: Poll): Promise<void> => {
  beginCodes(poll);
  if (!(await readHead(poll))) throw noPermit();
  await readOpenOrders(poll);
  await readSingles(poll);
};

const errorOf = async (work: () => Promise<void>): Promise<unknown> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
};

/** Another account begins with a new baseline. */
const checkAccount = async (memory: Memory, key: string, reads: Reads): Promise<void> => {
  if (memory.key === key) return;
  const user = await reads.getMe();
  if (!user) throw noPermit();
  const account = hash(`${key.split('.')[0]} ${user.user_id ?? (user.email || key)}`);
  if (memory.account !== account) Object.assign(memory, newMemory(), { head: undefined });
  Object.assign(memory, { account, key });
};

const noPermit = (): RateLimitError => new RateLimitError('local', 60_000);

const messageOf = (error: unknown): string => (isOrderLicenseError(error) ? error.message : String(error));
