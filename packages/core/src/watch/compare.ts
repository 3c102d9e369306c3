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
import {
  type Codes,
  daySeconds,
  dueAt,
  hourSeconds,
  type Known,
  statusName,
  unreadCodes,
  type WatchState,
} from './state.ts';

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

/** What a comparison needs from the poll. */
export interface Terms {
  state: Pick<WatchState, 'now' | 'lists'>;
  selection: Selection;
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
  const { now, lists } = terms.state;
  const before = known && !isNew ? known : firstRecordOf(sighting, terms);
  const after: Known = order ? { ...before, readAt: undefined, codesAt: undefined, failed: undefined } : { ...before };
  const changes = takeStatus(after, sighting, terms);
  if (!changes) return { events: [], known: { ...before, readAt: now } };
  const events = changes.concat(takeCodes(after, before, sighting, terms));
  const { status } = after;
  if (!isDocumented(status) || (order && order.status == null && !lists.has(status))) {
    // No list shows the order, and the status may be final, so it is read ever less often.
    after.readAt ??= now + Math.max(hourSeconds, now - (before.leftAt ?? now));
  } else if (!isAwaiting(after)) {
    // What the entry shows is reported, so a read could only bring license codes.
    after.readAt = undefined;
  }
  // A list entry shows that the order is in its list. After a status change, the new list has yet to show it.
  if (status !== before.status || (entry && lists.has(status))) {
    after.isUnlisted = undefined;
    after.leftAt = undefined;
  }
  if (!lists.has(status)) after.leftAt ??= now;
  // Nothing is left to read, so a later failure is another one.
  if (dueAt(after) === Infinity) after.failed = undefined;
  return { events, known: after };
};

/** Returns what is known about an order that was never seen before: it is new, or existed before it was watched. */
const firstRecordOf = ({ entry, order, isNew }: Sighting, { state, selection }: Terms): Known => {
  const status = statusName((entry ?? order)?.status);
  if (isNew) return { status, reached: -1 };
  const hasCodes = wantsCodes(selection) && hasLicenseCodes(status);
  return { status, reached: rankOf(status), ...(hasCodes && unreadCodes(state.now)) };
};

/**
 * Takes over the status that a response shows, and returns its events.
 * @returns undefined if an event needs the whole order
 */
const takeStatus = (known: Known, sighting: Sighting, terms: Terms): ChangeEvent[] | undefined => {
  const { selection } = terms;
  const { now, lists } = terms.state;
  const { id, entry, order } = sighting;
  const { status: previous, reached, failed } = known;
  const text = order?.status ?? entry?.status;
  const status = text == null ? previous : statusName(text);
  // A step back counts only if a read after ten minutes or more shows it, too.
  const isProved = order !== undefined && Number(known.backAt) <= now;
  if (isProved) known.backAt = undefined;
  if (reached >= 0 && status === previous) return [];
  if (!isForward(known, status) && !isProved) {
    known.backAt ??= now + patienceSeconds;
    return [];
  }
  const events: ChangeEvent[] = [];
  const mayLackDetails = failed !== undefined && now - failed.since >= patienceSeconds;
  // Changes of orders that left the watched lists are not reported, unless their status is undocumented.
  const isWatched = reached < 0 || lists.has(previous) || !isDocumented(previous);
  for (const event of isWatched ? eventsAt(known, status) : []) {
    if (!isWanted(selection, event, status)) continue;
    const withDetails = selection.withDetails.includes(event);
    if (withDetails && !order && !mayLackDetails) return undefined;
    const common = {
      eventId: eventIdOf({ event, id, status }),
      order: listEntryOf(sighting, documentedStatus(text) ?? text ?? status),
      ...(withDetails && order && { details: order }),
    };
    events.push(event === 'statusChanged' ? { event, ...common, previousStatus: previous } : { event, ...common });
  }
  Object.assign(known, { status, reached: Math.max(reached, rankOf(status)), backAt: undefined });
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

/** Compares the license codes and the delivery status with what is known, and returns the events of new codes. */
const takeCodes = (known: Known, before: Known, sighting: Sighting, terms: Terms): ChangeEvent[] => {
  const { entry, order } = sighting;
  const { state, selection } = terms;
  const { now } = state;
  const { status, codes: old } = known;
  const isPaidNow = before.reached < 1;
  if (!wantsCodes(selection) || !hasLicenseCodes(status)) {
    known.codesAt = undefined;
    return [];
  }
  if (!old && !isPaidNow) return [];
  const delivery = entry ? hash(textOf(entry.lieferstatus)) : old?.delivery;
  const isOther = old?.delivery !== undefined && old.delivery !== delivery;
  let codes: Codes = { ...(old ?? { since: now }), delivery };
  if (isPaidNow || isOther || status !== before.status) {
    codes.since = now;
    if (!order) known.readAt = now;
  }
  // Unless it is known which of them are old, all codes are new.
  if ((isPaidNow || isOther) && !isSettled(old)) codes = { since: now, delivery, known: [] };
  if (entry && isDecidable(codes, now)) {
    // The codes of the first read are old. If those were all, no others are expected.
    known.codes = codes.known && { ...codes, undecidedSince: undefined };
    known.codesAt ??= known.codes && now + 60;
  } else {
    known.codes = codes;
  }
  return order && known.codes ? takeFoundCodes(known, known.codes, { ...sighting, order }, terms) : [];
};

/** Compares the license codes of an order that was read, and plans the next read if some are missing. */
const takeFoundCodes = (
  known: Known,
  codes: Codes,
  sighting: Sighting & { order: Order },
  { state, selection }: Terms,
): ChangeEvent[] => {
  const { now, lists } = state;
  const { order, id } = sighting;
  const { status } = known;
  const found = namedCodes(order);
  const names = found.map(({ name }) => name);
  // A response without items is too early to tell.
  const hasAllCodes = order.items?.length > 0 && missingCodes({ ...order, status }) === 0;
  let { since, known: old = [], undecidedSince } = codes;
  if (isUnread(codes)) {
    since = now;
    old = names;
    undecidedSince = names.length > 0 ? now : undefined;
    known.codes = { ...codes, since, known: hasAllCodes ? undefined : names, undecidedSince };
  }
  if (undecidedSince !== undefined) {
    // Only a list entry shows which of the codes are new, and no watched list has one.
    if (!lists.has(status)) known.codesAt = Math.max(undecidedSince + patienceSeconds, now + 60);
    return [];
  }
  const event = 'licenseCodeAvailable';
  const isReported = isWanted(selection, event, status);
  const told = new Set(old);
  const fresh = isReported ? found.filter(({ name }) => !told.has(name)) : [];
  known.codes = { ...codes, since, known: [...old, ...fresh.map(({ name }) => name)], undecidedSince };
  if (isReported && !hasAllCodes) known.codesAt = now + secondsToNextRead(now - since);
  // The read may be older than the list that showed the change, and more codes than units can come.
  else if (isReported && now - since < patienceSeconds) known.codesAt = since + patienceSeconds;
  // A list shows when the order is completed. This read only keeps the order from being dropped without a warning.
  if (!isReported && status !== 'abgeschlossen') known.codesAt = now + daySeconds;
  return fresh.map(({ item, code, name }): ChangeEvent => {
    const { license_codes: _, ...rest } = item;
    const details = selection.withDetails.includes(event) && { details: order };
    const eventId = eventIdOf({ event, id, status, code: name });
    return { event, eventId, order: listEntryOf(sighting, status), item: rest, code, ...details };
  });
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

/** Whether the wait is over, so that the next list entry decides which of an order's codes are new. */
export const isDecidable = ({ undecidedSince = 0 }: Codes, now: number): boolean =>
  undecidedSince > 0 && now - undecidedSince >= patienceSeconds;

/** Whether it is known which of an order's codes are new. */
export const isSettled = (codes: Codes | undefined): boolean =>
  codes !== undefined && codes.undecidedSince === undefined;

/** Whether codes that the order gets are reported as events. */
export const isAwaiting = ({ status, codes }: Known): boolean =>
  codes?.known !== undefined && hasLicenseCodes(status) === true;
