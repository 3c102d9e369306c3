import { hash } from '../base/hash.ts';
import { hasLicenseCodes, type Order, type OrderSummary } from '../model/order.ts';
import { isWanted, type ListEntry } from './events.ts';
import { isComplete, namedCodes } from './names.ts';
import type { Poll } from './poll.ts';
import { type Codes, readLater, type Watched, type WatchState } from './state.ts';

const daySeconds = 86_400;
/** If this many orders wait for codes, orders that were paid before the baseline no longer join them. */
const maxFromBefore = 1_500;

/** Initial data about the license codes of an order that was paid before it was watched. */
const unread: Codes = { since: 0, delivery: '', known: [], before: 'unread' };

export const deliveryOf = ({ lieferstatus }: Pick<ListEntry, 'lieferstatus'>): string => hash(String(lieferstatus));

/** Whether codes that the order gets are reported as events. */
export const isAwaiting = ({ codes }: Watched): boolean =>
  codes !== undefined && codes.before !== 'unread' && codes.before !== 'whole';

/**
 * Starts or stops watching license codes, depending on the selection. When license codes are first selected, those that
 * watched orders already have cause no events.
 */
export const beginCodes = ({ state, selection }: Poll): void => {
  const hasCodes = selection.events.includes('licenseCodeAvailable');
  if (hasCodes === state.hasCodes) return;
  state.hasCodes = hasCodes;
  for (const [id, order] of state.orders) {
    state.orders.set(id, { ...order, codes: hasCodes && hasLicenseCodes(order.status) ? unread : undefined });
  }
};

/**
 * Returns what to remember about the license codes of an order with this status. Codes that the order gets while it is
 * watched cause events.
 */
export const codesAt = (
  { state }: Poll,
  id: string,
  { status, known, isNew }: { status: string; known: Watched | undefined; isNew: boolean },
): Codes | undefined => {
  // All codes of a new order are new, even if a status list showed the order earlier.
  const codes = isNew ? undefined : known?.codes;
  // An unpaid order may be paid again, so its known codes are kept.
  if (!state.hasCodes || !hasLicenseCodes(status)) return codes;
  if (!isNew && !known) return unread;
  const wasPaid = !isNew && hasLicenseCodes(known?.status);
  if (wasPaid && (!codes || codes.before || known?.status === status)) return codes;
  readLater(state, id, 0, true);
  return { since: state.now, delivery: codes?.delivery ?? '', known: codes?.known ?? [] };
};

/** Handles a list entry. A change of the entry's delivery status shows that the order may have new codes. */
export const takeEntry = ({ state }: Poll, watched: Watched, entry: OrderSummary): void => {
  const { codes } = watched;
  if (!codes || !hasLicenseCodes(watched.status)) return;
  const id = String(entry.id);
  const delivery = deliveryOf(entry);
  const isFirst = codes.delivery === '';
  if (codes.delivery !== delivery) {
    const isNew = codes.before && !isFirst;
    watched.codes = { ...codes, delivery, ...(isNew && { since: state.now, known: [], before: undefined }) };
    if (isNew || (!codes.before && !(isFirst && state.toRead.has(id)))) readLater(state, id, 0, true);
  } else if (codes.before && codes.before !== 'unread') settle(state, id, watched);
};

/**
 * Unsets `before` for an order that has been read. If the order lacks codes, it will be read again; otherwise, its
 * codes are no longer watched.
 */
const settle = (state: WatchState, id: string, watched: Watched): void => {
  const { codes } = watched;
  watched.codes = codes?.before === 'lacks' ? { ...codes, before: undefined } : undefined;
  if (watched.codes) readLater(state, id, 60);
};

/** Compares the codes of an order that was read individually with the known codes, and plans the next read. */
export const takeCodes = (poll: Poll, order: Order, watched: Watched, isListed: boolean): void => {
  const { state, selection } = poll;
  const { now } = state;
  const { status, codes } = watched;
  if (!codes || !hasLicenseCodes(status)) return;
  const id = String(order.id);
  const { before, delivery } = codes;
  const found = namedCodes(order).map(({ name }) => name);
  const isWhole = isComplete(order);
  if (before && isListed) {
    if (before !== 'unread') return;
    const isAwaited = !isWhole && awaitsFewer(poll, id);
    watched.codes = { delivery, since: now, known: isAwaited ? found : [], before: isAwaited ? 'lacks' : 'whole' };
    if (found.length === 0) settle(state, id, watched);
    return;
  }
  const since = before === 'unread' ? now : codes.since;
  const isReported = isWanted(selection, 'licenseCodeAvailable', status);
  // With `before` set, the order's list entry decides which of its codes are new.
  const known = new Set(before ? [] : codes.known);
  const fresh = isReported ? found.filter((name) => !known.has(name)) : [];
  // Without an earlier list entry, it is unknown which of the codes are new.
  if (!before || delivery !== '') {
    const oldWith = before && delivery;
    const event = 'licenseCodeAvailable';
    // One call of `push` cannot take the codes of a very large order.
    for (const code of fresh) state.held.push({ event, id, status, code, oldWith, since: now });
  }
  watched.codes = { since, delivery, known: [...known, ...fresh] };
  // No codes of a completed order are reported unless its status changes, which causes another read.
  if (!isReported && status === 'abgeschlossen') return;
  // A list shows when the order is completed; the read only keeps the order from being dropped without a warning.
  if (!isReported) readLater(state, id, daySeconds);
  else if (!isWhole) readLater(state, id, secondsToNextRead(now - since));
  // The order can get more codes than its quantities. A change of its list entry shows this, but only while the order
  // is in a list.
  else if (!isListed) watched.codes = undefined;
};

/**
 * Returns the seconds until an order is read again: a quarter of the time waited so far, but at least one minute, at
 * most six minutes on the first day, and at most thirty minutes in the first week.
 */
const secondsToNextRead = (waited: number): number => {
  const longest = waited < daySeconds ? 360 : waited < 7 * daySeconds ? 1_800 : Number.POSITIVE_INFINITY;
  return Math.max(60, Math.min(Math.floor(waited / 4), longest));
};

const awaitsFewer = ({ state, warn }: Poll, id: string): boolean => {
  if ([...state.orders.values()].filter(isAwaiting).length < maxFromBefore) return true;
  warn(`Too many orders lack license codes, so order ${id} is not watched for new codes.`);
  return false;
};
