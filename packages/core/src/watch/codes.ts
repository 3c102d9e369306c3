import { hash } from '../base/hash.ts';
import type { Order, OrderSummary } from '../model/order.ts';
import { isWanted, type ListEntry } from './events.ts';
import { isComplete, namedCodes, rankOf } from './names.ts';
import { readLater } from './reads.ts';
import type { Poll, Watched } from './state.ts';

const daySeconds = 86_400;
/** The most orders that wait for codes. */
export const maxAwaited = 2_000;
/** Of these, reserved for orders paid after the baseline. */
const keptForNew = 500;

/** The delivery status of an order that no list has shown yet. */
const unlisted = '';

export const deliveryOf = ({ lieferstatus }: Pick<ListEntry, 'lieferstatus'>): string => hash(String(lieferstatus));

/** What to remember of an order's license codes: those that it gets while it is watched are events. */
export const awaitCodes = (
  poll: Poll,
  id: string,
  { status, known, isNew }: { status: string; known: Watched | undefined; isNew: boolean },
): Pick<Watched, 'codes' | 'before'> => {
  if (!poll.memory.hasCodes) return {};
  const { codes, before } = known ?? {};
  // It may be paid again, and its codes are known.
  if (rankOf(status) === 0) return { codes };
  const wasPaid = rankOf(known?.status ?? '') > 0;
  if (!isNew && !known) return { before: { delivery: unlisted, isRead: false } };
  if (!isNew && wasPaid && (before || !codes || known?.status === status)) return { codes, before };
  readLater(poll, id, 0, true);
  return { codes: { since: poll.now, states: codes?.states ?? '', known: codes?.known ?? [] } };
};

/** A change of its list entry shows that an order may have new codes. */
export const takeEntry = (poll: Poll, id: string, watched: Watched, entry: OrderSummary): void => {
  if (!poll.memory.hasCodes || rankOf(watched.status) === 0) return;
  const { codes, before } = watched;
  const delivery = deliveryOf(entry);
  const states = `${delivery}${hash(String(entry.zahlungsstatus))}`;
  if (before?.delivery === unlisted) before.delivery = delivery;
  else if (before && before.delivery !== delivery) {
    watched.before = undefined;
    watched.codes = { since: poll.now, states, known: [] };
    readLater(poll, id, 0, true);
  } else if (before?.isRead) {
    watched.before = undefined;
    if (codes) readLater(poll, id, 60);
  } else if (!before && codes) {
    if (codes.states !== states) readLater(poll, id, 0, true);
    codes.states = states;
  }
};

/** Compares the codes of an order that was read by itself with those known, and plans the next read. */
export const takeCodes = (poll: Poll, order: Order, watched: Watched, isListed: boolean): void => {
  const { memory, selection, now } = poll;
  const { status, before } = watched;
  const id = String(order.id);
  if (!memory.hasCodes || rankOf(status) === 0 || (before?.isRead && isListed)) return;
  const found = namedCodes(order).map(({ name }) => name);
  const isWhole = isComplete(order);
  if (before && isListed) {
    watched.before = found.length > 0 ? { ...before, isRead: true } : undefined;
    if (!isWhole && awaitsFewer(poll, id)) watched.codes = { since: now, states: '', known: found };
    if (!watched.before && watched.codes) readLater(poll, id, 60);
    return;
  }
  // All its codes are known.
  if (!before && !watched.codes) return;
  const { codes = { since: now, states: '', known: [] } } = watched;
  Object.assign(watched, { codes, before: undefined });
  const isReported = isWanted(selection, 'licenseCodeAvailable', status);
  if (isReported) {
    const fresh = found.filter((name) => !codes.known.includes(name));
    codes.known.push(...fresh);
    if (before?.delivery !== unlisted) {
      const event = 'licenseCodeAvailable';
      memory.held.push(
        ...fresh.map((code) => ({ event, id, status, code, oldWith: before?.delivery, since: now }) as const),
      );
    }
  }
  if (!isReported || !isWhole) readLater(poll, id, pauseAfter(now - codes.since));
  // It can get more codes than its quantity; while it is in a list, a change of its entry shows that.
  else if (!isListed) watched.codes = undefined;
};

/** A quarter of the time waited so far: at least a minute, at most eight on the first day and thirty in the first week. */
const pauseAfter = (waited: number): number => {
  const longest = waited < daySeconds ? 480 : waited < 7 * daySeconds ? 1_800 : Number.POSITIVE_INFINITY;
  return Math.max(60, Math.min(Math.floor(waited / 4), longest));
};

const awaitsFewer = ({ memory, warn }: Poll, id: string): boolean => {
  const awaited = [...memory.orders.values()].filter(({ codes }) => codes).length;
  if (awaited < maxAwaited - keptForNew) return true;
  warn(`Order ${id} lacks license codes, but too many orders do. This order is not watched for them.`);
  return false;
};

/** License codes that watched orders have when codes are first selected are no events. */
export const beginCodes = ({ memory, selection }: Poll): void => {
  const hasCodes = selection.events.includes('licenseCodeAvailable');
  if (hasCodes !== memory.hasCodes) {
    for (const order of memory.orders.values()) {
      order.codes = undefined;
      order.before = hasCodes && rankOf(order.status) > 0 ? { delivery: unlisted, isRead: false } : undefined;
    }
  }
  memory.hasCodes = hasCodes;
};
