import { hash } from '../base/hash.ts';
import { missingCodes, namedCodes } from '../model/code-names.ts';
import { hasLicenseCodes, isDocumented, type Order, type OrderSummary, orderSummaryShape } from '../model/order.ts';
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
import { type Codes, type Known, paidBefore, statusName } from './state.ts';

export const hourSeconds = 3_600;
export const daySeconds = 24 * hourSeconds;
/** A response can be some minutes old. After this long, what it shows counts. */
export const patienceSeconds = 600;

/** One response about an order: its list entry, the order as it was read individually, or both. */
export interface Sighting {
  id: string;
  entry?: OrderSummary | undefined;
  order?: Order | undefined;
  /** Whether the list shows the order for the first time since the baseline. */
  isNew?: boolean | undefined;
  /** Whether events must not wait for the whole order, because it cannot be read. */
  isFinal?: boolean | undefined;
}

export interface Terms {
  now: number;
  selection: Selection;
  /** Returns the `round` of the watched list that has the orders with this status; undefined if none has. */
  roundOf(status: string): number | undefined;
}

/** The events that a response causes, and what is known afterwards: undefined if the order need not be remembered. */
export interface Difference {
  events: ChangeEvent[];
  known: Known | undefined;
}

/**
 * Compares a response with what is known about its order. What is known and what is reported change together. If an
 * event needs the whole order and the response lacks it, neither changes, and the order becomes due to be read.
 */
export const compare = (before: Known | undefined, sighting: Sighting, terms: Terms): Difference => {
  const { now, roundOf } = terms;
  const { order } = sighting;
  const isNew = sighting.isNew === true || before?.isNew === true;
  if (!before && !isNew) return { events: [], known: baselineOf(sighting, terms) };
  const nothing = { isNew: undefined, status: '', reached: 0, codes: undefined };
  const known: Known = before && !isNew ? { ...before } : { ...before, ...nothing };
  if (order) known.read = undefined;
  const events = takeStatuses(known, before, sighting, terms);
  if (!events) return { events: [], known: { ...waiting(before, sighting, terms), isNew: isNew || undefined } };
  takeCodes(known, isNew ? '' : before?.status, sighting, events, terms);
  planRead(known, sighting, terms);
  known.round = roundOf(known.status);
  if (known.status !== before?.status) known.isStray = undefined;
  known.leftAt = known.round === undefined ? (known.leftAt ?? now) : undefined;
  return { events, known };
};

/** Returns what to remember about an order that existed before it was watched. */
const baselineOf = ({ entry, order }: Sighting, { selection, roundOf }: Terms): Known | undefined => {
  const status = statusName((entry ?? order)?.status);
  const round = roundOf(status);
  const hasCodes = wantsCodes(selection) && hasLicenseCodes(status);
  return round === undefined
    ? undefined
    : { status, reached: rankOf(status), round, codes: hasCodes ? paidBefore(entry && deliveryOf(entry)) : undefined };
};

/** Returns the record of an order whose events have to wait until the order was read. */
const waiting = (before: Known | undefined, { entry, order }: Sighting, { now }: Terms): Known => {
  const isNew = !before || before.isNew;
  const shown = (entry ?? order)?.status;
  const status = isNew && shown != null ? statusName(shown) : (before?.status ?? '');
  const read = before?.read?.tries ? before.read : { due: now, isUrgent: true as const };
  return { ...before, status, reached: before?.reached ?? 0, read };
};

/**
 * Takes over the statuses that a response shows, and returns their events.
 * @returns undefined if an event needs the whole order
 */
const takeStatuses = (
  known: Known,
  before: Known | undefined,
  sighting: Sighting,
  terms: Terms,
): ChangeEvent[] | undefined => {
  const { now, selection, roundOf } = terms;
  const { id, entry, order, isFinal } = sighting;
  const isLate = now - (before?.read?.failingSince ?? now) >= patienceSeconds;
  const shown = [entry?.status, order?.status].filter((status) => status != null).map(statusName);
  if (known.status === '' && shown.length === 0) shown.push(before?.status ?? '');
  const events: ChangeEvent[] = [];
  for (const status of shown) {
    const previous = known.status;
    if (status === previous) continue;
    // A step back counts only if a read shows it at last.
    const isProved = order != null && Number(known.backAt) <= now && status === statusName(order.status);
    if (previous !== '' && !isForward(known, status) && !isProved) {
      known.backAt ??= now + patienceSeconds;
      continue;
    }
    // Changes of orders that left the watched lists are not reported, unless their status is undocumented.
    const isWatched = roundOf(previous) !== undefined || !isDocumented(previous);
    for (const event of isWatched ? eventsAt(known, status) : []) {
      if (!isWanted(selection, event, status)) continue;
      const withDetails = selection.withDetails.includes(event);
      if (withDetails && !order && !isFinal && !isLate) return undefined;
      const details = withDetails && order && { details: order };
      const common = { eventId: eventIdOf({ event, id, status }), order: listEntryOf(sighting, status), ...details };
      events.push(event === 'statusChanged' ? { event, ...common, previousStatus: previous } : { event, ...common });
    }
    Object.assign(known, { status, reached: Math.max(known.reached, rankOf(status)), backAt: undefined });
  }
  // A read after ten minutes decides: the order is where it was.
  if (order?.status != null && Number(known.backAt) <= now) known.backAt = undefined;
  return events;
};

/**
 * Whether an order can only have this status because something has happened. A list that is some minutes old can show
 * any status that the order had before.
 */
const isForward = ({ status: known, reached }: Known, status: string): boolean =>
  status === 'storniert' ||
  (isDocumented(known) && known !== 'storniert' && (!isDocumented(status) || rankOf(status) > reached));

const eventsAt = ({ status: previous, reached }: Known, status: string) => {
  const rank = rankOf(status);
  const happened = {
    newOrder: previous === '',
    statusChanged: previous !== '',
    paid: reached < 1 && rank >= 1,
    completed: reached < 2 && rank >= 2,
    licenseCodeAvailable: false,
  };
  return changeNames.filter((name) => happened[name]) as Exclude<ChangeName, 'licenseCodeAvailable'>[];
};

/** Returns the list entry for an event; without one, what else is known. */
const listEntryOf = ({ id, entry, order }: Sighting, status: string): ListEntry => {
  const source = entry ?? order;
  const shown = !isDocumented(status) && statusName(source?.status) === status ? source?.status : status;
  if (entry) return { ...entry, status: shown ?? status };
  const names = Object.keys(orderSummaryShape) as (keyof ListEntry)[];
  const fields = Object.fromEntries(names.map((name) => [name, order?.[name] ?? null]));
  return { ...(fields as unknown as ListEntry), id: order?.id ?? Number(id), status: shown ?? status };
};

/** Compares the license codes and the delivery status with what is known, and adds the events of new codes. */
const takeCodes = (
  known: Known,
  previous: string | undefined,
  sighting: Sighting,
  events: ChangeEvent[],
  { now, selection }: Terms,
): void => {
  const { entry, order } = sighting;
  if (!wantsCodes(selection) || !hasLicenseCodes(known.status)) return;
  const readSoon = (): void => {
    if (!order && !known.read?.tries) known.read = { due: now, isUrgent: true };
  };
  const isPaidNow = !hasLicenseCodes(previous);
  if (isPaidNow || (known.codes && !known.codes.before && known.status !== previous)) {
    known.codes = { since: now, delivery: known.codes?.delivery, known: known.codes?.known ?? [] };
    readSoon();
  }
  const { codes } = known;
  const delivery = entry ? deliveryOf(entry) : codes?.delivery;
  const first = codes?.before?.at;
  if (codes && codes.delivery !== undefined && codes.delivery !== delivery) {
    // The order may have new codes. Those of an order paid before it was watched are all new.
    known.codes = codes.before ? { since: now, delivery, known: codes.known } : { ...codes, delivery };
    readSoon();
  } else if (codes && codes.delivery === undefined) known.codes = { ...codes, delivery };
  else if (entry && first !== undefined && now - first >= patienceSeconds) settle(known, now);
  if (order && known.codes) takeFoundCodes(known, known.codes, { ...sighting, order }, events, { now, selection });
};

/** Makes the codes of an order's first read old. */
const settle = (known: Known, now: number): void => {
  const { before, ...codes } = known.codes as Codes;
  known.codes = before?.isWhole ? undefined : { ...codes, known: [...codes.known, ...(before?.found ?? [])] };
  if (known.codes) known.read ??= { due: now + 60 };
};

/** Compares the license codes of an order that was read, and plans the next read if some are missing. */
const takeFoundCodes = (
  known: Known,
  codes: Codes,
  sighting: Sighting & { order: Order },
  events: ChangeEvent[],
  { now, selection }: Pick<Terms, 'now' | 'selection'>,
): void => {
  const { order, id } = sighting;
  const { status } = known;
  const found = namedCodes(order);
  // A response without items is too early to tell.
  const isWhole = order.items?.length > 0 && missingCodes({ ...order, status }) === 0;
  if (codes.before && codes.before.at === undefined) {
    const names = isWhole ? [] : found.map(({ name }) => name);
    known.codes = { ...codes, since: now, before: { at: now, isWhole: isWhole || undefined, found: names } };
    if (found.length === 0) settle(known, now);
    return;
  }
  if (codes.before?.isWhole) return;
  const event = 'licenseCodeAvailable';
  const isReported = isWanted(selection, event, status);
  const old = new Set([...codes.known, ...(codes.before?.found ?? [])]);
  const fresh = isReported ? found.filter(({ name }) => !old.has(name)) : [];
  for (const { item, code, name } of fresh) {
    const { license_codes: _, ...rest } = item;
    const details = selection.withDetails.includes(event) && { details: order };
    const eventId = eventIdOf({ event, id, status, code: name });
    events.push({ event, eventId, order: listEntryOf(sighting, status), item: rest, code, ...details });
  }
  known.codes = { ...codes, known: codes.known.concat(fresh.map(({ name }) => name)) };
  if (isReported && !isWhole) known.read = { due: now + secondsToNextRead(now - codes.since) };
  // A list shows when the order is completed; the read only keeps the order from being dropped without a warning.
  if (!isReported && status !== 'abgeschlossen') known.read = { due: now + daySeconds };
};

/**
 * Returns the seconds until an order is read again: a quarter of the time waited so far, but at least one minute, at
 * most six minutes on the first day, and at most thirty minutes in the first week.
 */
const secondsToNextRead = (waited: number): number => {
  const longest = waited < daySeconds ? 360 : waited < 7 * daySeconds ? 1_800 : Number.POSITIVE_INFINITY;
  return Math.max(60, Math.min(Math.floor(waited / 4), longest));
};

/** Plans the reads that a status needs, and cancels one that the order's list entry makes needless. */
const planRead = (known: Known, { order }: Sighting, { now, roundOf }: Terms): void => {
  const { status, backAt, codes } = known;
  const isListed = roundOf(status) !== undefined;
  const isUnknown = !isDocumented(status);
  const dues: number[] = [];
  if (backAt !== undefined) dues.push(order ? Math.max(backAt, now + 60) : backAt);
  if (isUnknown || (order && order.status == null && !isListed)) dues.push(now + hourSeconds);
  // Only a list entry shows which of the codes are new, and no watched list has one.
  if (order && !isListed && codes?.before?.at !== undefined) {
    dues.push(Math.max(codes.before.at + patienceSeconds, now + 60));
  }
  if (!order && !isAwaiting(known) && dues.length === 0) known.read = undefined;
  const due = Math.min(...dues);
  if (due < (known.read?.due ?? Infinity) && !known.read?.tries) known.read = { ...known.read, due };
};

const deliveryOf = ({ lieferstatus }: OrderSummary): string => hash(String(lieferstatus));

/** Whether codes that the order gets are reported as events. */
export const isAwaiting = ({ status, codes }: Known): boolean => {
  const isUndecided = codes?.before !== undefined && (codes.before.at === undefined || codes.before.isWhole === true);
  return codes !== undefined && !isUndecided && hasLicenseCodes(status) === true;
};
