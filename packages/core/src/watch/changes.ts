import { checkNumber } from '../base/checks.ts';
import { isOrderLicenseError, RateLimitError } from '../base/errors.ts';
import type { Signal } from '../base/signal.ts';
import type { StatusFilter } from '../model/order.ts';
import { unlisted } from './awaited.ts';
import { readCodes } from './codes.ts';
import { type ChangeEvent, type ChangeName, selectionOf, sortEvents } from './events.ts';
import { hash } from './hash.ts';
import { readHead } from './head.ts';
import { readOpenOrders } from './open-orders.ts';
import type { Poll } from './poll.ts';
import { createReads, needsAPerson, type WatchedClient } from './reads.ts';
import { type ChangesState, type Memory, newMemory, rankOf, readState, saveState } from './state.ts';
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
    warn('The state is not one of this version. Existing orders are recorded again, and are no events.');
  }
  const failing: Memory['failing'] = saved?.failing ?? new Map();
  const reads = createReads({
    client,
    options: { signal, consumer },
    endsAt: client.now() + deadlineMs,
    failing,
    now,
    isHurried: () => poll?.isHurried ?? false,
    warn,
  });
  let poll: Poll | undefined;
  const memory = await memoryFor(saved, await keyOf(), reads.getMe);
  memory.failing = failing;
  const warnHourly = (message: string): void => {
    if (now - memory.warnedAt < 3_600 && memory.warnedAt <= now) return;
    memory.warnedAt = now;
    warn(message);
  };
  poll = { memory, selection, reads, events: [], now, isStart: !memory.head, isHurried: false, warn, warnHourly };
  const error = (await errorOf(() => read(poll))) ?? (await errorOf(() => tellHeld(poll)));
  if (error && poll.events.length === 0 && (needsAPerson(error) || !memory.head)) throw error;
  if (reads.hasRead()) memory.silentSince = undefined;
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
  await readCodes(poll);
};

const errorOf = async (work: () => Promise<void>): Promise<unknown> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
};

/** The state to continue from: a new one at the start and for another account. */
const memoryFor = async (
  saved: Memory | undefined,
  key: string,
  getMe: () => Promise<{ user_id?: unknown; email?: unknown } | undefined>,
): Promise<Memory> => {
  if (saved?.key === key) return saved;
  const user = await getMe();
  if (!user) throw noPermit();
  const account = hash(`${key.split('.')[0]} ${user.user_id ?? (user.email || key)}`);
  return saved?.account === account ? { ...saved, key } : newMemory(account, key);
};

/** License codes that watched orders have when codes are first selected are no events. */
const beginCodes = ({ memory, selection }: Poll): void => {
  const hasCodes = selection.events.includes('licenseCodeAvailable');
  if (hasCodes && !memory.hasCodes) {
    for (const order of memory.orders.values()) {
      if (rankOf(order.status) > 0) order.before = { delivery: unlisted, isRead: false };
    }
  }
  memory.hasCodes = hasCodes;
};

const noPermit = (): RateLimitError => new RateLimitError('local', 60_000);

const messageOf = (error: unknown): string => (isOrderLicenseError(error) ? error.message : String(error));
