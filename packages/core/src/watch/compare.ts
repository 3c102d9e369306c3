import { textOf } from '../base/checks.ts';
import { hash } from '../base/hash.ts';
import { missingCodes, namedCodes } from '../model/code-names.ts';
import {
  documentedStatus,
  hasLicenseCodes,
  isDocumented,
  type Order,
  type OrderSummary,
  orderSummaryShape,
} from '../model/order.ts';
import {
  type ChangeEvent,
  type ChangeName,
  changeNames,
  eventIdOf,
  isWanted,
  type ListEntry,
  rankOf,
  type Selection,
  wantsCodes,
} from './events.ts';
import { type Codes, daySeconds, dueAt, hourSeconds, type Known, statusName, unreadCodes } from './state.ts';

/** A response can be some minutes old. After this long, what it shows counts. */
export const patienceSeconds = 600;

/** One response about an order: its list entry, the order as it was read individually, or both. */
export interface Sighting {
  id: string;
  entry?: OrderSummary | undefined;
  order?: Order | undefined;
  /** Whether the list shows the order for the first time since the baseline. */
  isNew?: boolean | undefined;
}

export interface Terms {
  now: number;
  selection: Selection;
  /** Whether a watched list has the orders with this status. */
  isListed(status: string): boolean;
}

/** The events that a response causes, and what is known afterwards. */
export interface Difference {
  events: ChangeEvent[];
  known: Known;
}

/**
 * Compares a response with what is known about its order. What is known and what is reported change together. If an
 * event needs the whole order and the response lacks it, neither changes, and the order becomes due to be read.
 */
export const compare = (known: Known | undefined, sighting: Sighting, terms: Terms): Difference => {
  const { entry, order, isNew } = sighting;
  const { now, isListed } = terms;
  const before = known && !isNew ? known : firstRecordOf(sighting, terms);
  const { gone, ...due } = before.due;
  const after: Known = { ...before, due: order ? { back: due.back } : entry ? due : { ...before.due } };
  if (order) after.failed = undefined;
  const events = takeStatuses(after, sighting, terms);
  if (!events) return { events: [], known: { ...before, due: { ...before.due, news: now } } };
  takeCodes(after, before, sighting, events, terms);
  // What the entry shows is reported, so a read could only bring license codes.
  if (!isAwaiting(after)) after.due.news = undefined;
  const { status } = after;
  const isUnclear = !isDocumented(status) || (order && order.status == null && !isListed(status));
  // No list shows the order, and the status may be final, so it is read ever less often.
  const wait = Math.max(hourSeconds, now - (before.unlistedSince ?? now));
  after.due.status = isUnclear ? (after.due.status ?? now + wait) : undefined;
  // Only a list shows that an order is still in its list; one with another status has yet to appear in the new list.
  if (status !== before.status || (entry && isListed(status))) after.unlistedSince = undefined;
  if (!isListed(status)) after.unlistedSince ??= now;
  // Nothing is left to read, so a later failure is another one.
  if (dueAt(after) === Infinity && !(after.codes && isUnread(after.codes))) after.failed = undefined;
  return { events, known: after };
};

/** Returns what is known about an order that was never seen before: it is new, or existed before it was watched. */
const firstRecordOf = ({ entry, order, isNew }: Sighting, { selection }: Terms): Known => {
  const status = statusName((entry ?? order)?.status);
  const hasCodes = !isNew && wantsCodes(selection) && hasLicenseCodes(status);
  return { status, reached: isNew ? -1 : rankOf(status), due: {}, codes: hasCodes ? unreadCodes : undefined };
};

/**
 * Takes over the statuses that a response shows, and returns their events.
 * @returns undefined if an event needs the whole order
 */
const takeStatuses = (known: Known, sighting: Sighting, terms: Terms): ChangeEvent[] | undefined => {
  const { now, selection, isListed } = terms;
  const { id, entry, order } = sighting;
  const { due, failed } = known;
  const mayLackDetails = failed !== undefined && (failed.isFinal || now - failed.since >= patienceSeconds);
  const shown: string[] = [entry?.status, order?.status].filter((status) => status != null);
  if (known.reached < 0 && shown.length === 0) shown.push(known.status);
  const events: ChangeEvent[] = [];
  for (const text of shown) {
    const { status: previous, reached } = known;
    const status = statusName(text);
    if (reached >= 0 && status === previous) continue;
    // A step back counts only if a read shows it at last.
    const isProved = order != null && Number(due.back) <= now && status === statusName(order.status);
    if (!isForward(known, status) && !isProved) {
      due.back ??= now + patienceSeconds;
      continue;
    }
    // Changes of orders that left the watched lists are not reported, unless their status is undocumented.
    const isWatched = reached < 0 || isListed(previous) || !isDocumented(previous);
    for (const event of isWatched ? eventsAt(known, status) : []) {
      if (!isWanted(selection, event, status)) continue;
      const withDetails = selection.withDetails.includes(event);
      if (withDetails && !order && !mayLackDetails) return undefined;
      const details = withDetails && order && { details: order };
      const common = {
        eventId: eventIdOf({ event, id, status }),
        order: listEntryOf(sighting, documentedStatus(text) ?? text),
        ...details,
      };
      events.push(event === 'statusChanged' ? { event, ...common, previousStatus: previous } : { event, ...common });
    }
    Object.assign(known, { status, reached: Math.max(reached, rankOf(status)) });
    due.back = undefined;
  }
  // A read after ten minutes decides: the order is where it was.
  if (order && Number(due.back) <= now) due.back = undefined;
  return events;
};

/**
 * Whether an order can only have this status because something has happened. A list that is some minutes old can show
 * any status that the order had before.
 */
const isForward = ({ status: known, reached }: Known, status: string): boolean =>
  reached < 0 ||
  status === 'storniert' ||
  (isDocumented(known) && known !== 'storniert' && (!isDocumented(status) || rankOf(status) > reached));

const eventsAt = ({ reached }: Known, status: string) => {
  const rank = rankOf(status);
  const happened = {
    newOrder: reached < 0,
    statusChanged: reached >= 0,
    paid: reached < 1 && rank >= 1,
    completed: reached < 2 && rank >= 2,
    licenseCodeAvailable: false,
  };
  return changeNames.filter((name) => happened[name]) as Exclude<ChangeName, 'licenseCodeAvailable'>[];
};

/** Returns the list entry for an event; without one, what else is known. */
const listEntryOf = ({ id, entry, order }: Sighting, status: string): ListEntry => {
  if (entry) return { ...entry, status };
  const fields = Object.keys(orderSummaryShape).map((name) => [name, order?.[name as keyof ListEntry] ?? null]);
  return { ...(Object.fromEntries(fields) as ListEntry), id: order?.id ?? Number(id), status };
};

/** Compares the license codes and the delivery status with what is known, and adds the events of new codes. */
const takeCodes = (known: Known, before: Known, sighting: Sighting, events: ChangeEvent[], terms: Terms): void => {
  const { entry, order } = sighting;
  const { now, selection } = terms;
  const { status, due, codes: old } = known;
  if (!wantsCodes(selection) || !hasLicenseCodes(status)) {
    due.codes = undefined;
    return;
  }
  const isPaidNow = before.reached < 1;
  const isMoved = isPaidNow || (isSettled(old) && status !== before.status);
  let codes: Codes | undefined = isMoved ? { since: now, delivery: old?.delivery, known: old?.known ?? [] } : old;
  if (!codes) return;
  const delivery = entry ? hash(textOf(entry.lieferstatus)) : codes.delivery;
  const isOther = codes.delivery !== undefined && codes.delivery !== delivery;
  // If the order was paid before it was watched, all of its codes are new.
  codes = isOther && !isSettled(codes) ? { since: now, delivery, known: [] } : { ...codes, delivery };
  if (!order && (isMoved || isOther)) due.news = now;
  if (entry && isDecidable(codes, now)) {
    // The codes of the first read are old. If those were all, no others are expected.
    codes = codes.known && { ...codes, undecidedSince: undefined };
    due.codes ??= codes && now + 60;
  }
  known.codes = codes;
  if (order && codes) takeFoundCodes(known, codes, { ...sighting, order }, events, terms);
};

/** Compares the license codes of an order that was read, and plans the next read if some are missing. */
const takeFoundCodes = (
  known: Known,
  codes: Codes,
  sighting: Sighting & { order: Order },
  events: ChangeEvent[],
  { now, selection, isListed }: Terms,
): void => {
  const { order, id } = sighting;
  const { status, due } = known;
  const found = namedCodes(order);
  // A response without items is too early to tell.
  const hasAllCodes = order.items?.length > 0 && missingCodes({ ...order, status }) === 0;
  let { since, known: names, undecidedSince } = codes;
  if (isUnread(codes)) {
    since = now;
    if (!hasAllCodes) names = found.map(({ name }) => name);
    undecidedSince = found.length > 0 ? now : undefined;
  }
  known.codes = { ...codes, since, known: names, undecidedSince };
  if (undecidedSince !== undefined) {
    // Only a list entry shows which of the codes are new, and no watched list has one.
    if (!isListed(status)) due.codes = Math.max(undecidedSince + patienceSeconds, now + 60);
    return;
  }
  const event = 'licenseCodeAvailable';
  const isReported = isWanted(selection, event, status);
  const old = new Set(names);
  const fresh = isReported ? found.filter(({ name }) => !old.has(name)) : [];
  for (const { item, code, name } of fresh) {
    const { license_codes: _, ...rest } = item;
    const details = selection.withDetails.includes(event) && { details: order };
    const eventId = eventIdOf({ event, id, status, code: name });
    events.push({ event, eventId, order: listEntryOf(sighting, status), item: rest, code, ...details });
    old.add(name);
  }
  known.codes.known = [...old];
  if (isReported && !hasAllCodes) due.codes = now + secondsToNextRead(now - since);
  // A list shows when the order is completed; the read only keeps the order from being dropped without a warning.
  if (!isReported && status !== 'abgeschlossen') due.codes = now + daySeconds;
};

/**
 * Returns the seconds until an order is read again: a quarter of the time waited so far, but at least one minute, at
 * most six minutes on the first day, and at most thirty minutes in the first week.
 */
const secondsToNextRead = (waited: number): number => {
  const longest = waited < daySeconds ? 360 : waited < 7 * daySeconds ? 1_800 : Number.POSITIVE_INFINITY;
  return Math.max(60, Math.min(Math.floor(waited / 4), longest));
};

/** Whether an order was paid before it was watched, and has not been read since. */
export const isUnread = ({ undecidedSince }: Codes): boolean => undecidedSince === 0;

/** Whether a list entry would now show which of an order's codes are new. */
export const isDecidable = ({ undecidedSince = 0 }: Codes, now: number): boolean =>
  undecidedSince > 0 && now - undecidedSince >= patienceSeconds;

/** Whether it is known which of an order's codes are new. */
export const isSettled = (codes: Codes | undefined): boolean =>
  codes !== undefined && codes.undecidedSince === undefined;

/** Whether codes that the order gets are reported as events. */
export const isAwaiting = ({ status, codes }: Known): boolean =>
  codes?.known !== undefined && hasLicenseCodes(status) === true;
