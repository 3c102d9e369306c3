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
  type Selection,
} from './events.ts';
import { type Codes, type Known, statusName } from './state.ts';

const daySeconds = 86_400;
/** Interval at which an order with an undocumented status is read individually, because no list shows it. */
const hourSeconds = 3_600;
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
  const isNew = sighting.isNew || before?.isNew === true;
  if (!before && !isNew) return { events: [], known: baselineOf(sighting, terms) };
  const known: Known = before && !isNew ? { ...before } : { ...before, status: '', reached: 0, isNew: undefined };
  if (sighting.order) known.read = undefined;
  if (isBackInList(known, sighting, terms)) return { events: [], known: baselineOf(sighting, terms) };
  const events = takeStatuses(known, before, { ...sighting, isNew }, terms);
  if (!events) return { events: [], known: dueOf(before, sighting, isNew, terms) };
  takeCodes(known, before, { ...sighting, isNew }, events, terms);
  planRead(known, sighting, terms);
  known.leftAt = terms.isListed(known.status) ? undefined : (known.leftAt ?? terms.now);
  return { events, known };
};

/** Returns what to remember about an order that existed before it was watched. */
const baselineOf = ({ entry, order }: Sighting, { selection, isListed }: Terms): Known | undefined => {
  const status = statusName((entry ?? order)?.status);
  if (!isListed(status)) return undefined;
  const hasCodes = wantsCodes(selection) && hasLicenseCodes(status);
  return { status, reached: rankOf(status), codes: hasCodes ? paidBefore(entry) : undefined };
};

/** Returns the initial data about the license codes of an order that was paid before it was watched. */
export const paidBefore = (entry?: OrderSummary): Codes => ({
  since: 0,
  delivery: entry && deliveryOf(entry),
  known: [],
  before: { found: [] },
});

/** Returns the unchanged record of an order whose events have to wait until the order was read. */
const dueOf = (before: Known | undefined, { entry, order }: Sighting, isNew: boolean, { now }: Terms): Known => {
  const unchanged = before ?? { status: '', reached: 0 };
  const shown = (entry ?? order)?.status;
  const known: Known = isNew
    ? { ...unchanged, isNew: true, status: shown === undefined ? unchanged.status : statusName(shown) }
    : { ...unchanged };
  const { read } = known;
  known.read = read?.tries ? read : { ...read, due: now, isUrgent: true };
  return known;
};

/** Whether a read shows that an order whose changes are not watched is in a watched list again: it begins anew. */
const isBackInList = ({ status, backAt }: Known, { order }: Sighting, { now, isListed }: Terms): boolean =>
  isDocumented(status) && !isListed(status) && Number(backAt) <= now && isListed(statusName(order?.status));

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
  const { now, selection } = terms;
  const { entry, order, isNew } = sighting;
  const shown = [entry?.status, order?.status].filter((status) => status != null);
  const statuses = isNew && shown.length === 0 ? [before?.status ?? ''] : shown.map(statusName);
  const isGivenUp = before?.read?.isHopeless || now - (before?.read?.failingSince ?? now) >= patienceSeconds;
  const events: ChangeEvent[] = [];
  for (const [place, status] of statuses.entries()) {
    const isFirst = isNew === true && place === 0;
    if (!isFirst && status === known.status) continue;
    if (!isFirst && !isForward(known, status)) {
      const isRead = order?.status != null && place === statuses.length - 1;
      if (!isRead || known.backAt === undefined || now < known.backAt) {
        known.backAt ??= now + patienceSeconds;
        continue;
      }
    }
    for (const event of eventsAt(known, status, isFirst)) {
      if (!isWanted(selection, event, status)) continue;
      const withDetails = selection.withDetails.includes(event);
      if (withDetails && !order && !isGivenUp) return undefined;
      const common = {
        eventId: eventIdOf({ event, id: sighting.id, status }),
        order: listEntryOf(sighting, status),
        ...(withDetails && order && { details: order }),
      };
      events.push(
        event === 'statusChanged' ? { event, ...common, previousStatus: known.status } : { event, ...common },
      );
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

const eventsAt = ({ reached }: Known, status: string, isNew: boolean) => {
  const rank = rankOf(status);
  const happened = {
    newOrder: isNew,
    statusChanged: !isNew,
    paid: reached < 1 && rank >= 1,
    completed: reached < 2 && rank >= 2,
    licenseCodeAvailable: false,
  };
  return changeNames.filter((name) => happened[name]) as Exclude<ChangeName, 'licenseCodeAvailable'>[];
};

/** Returns the list entry for an event; without one, what else is known. */
const listEntryOf = ({ id, entry, order }: Sighting, status: string): ListEntry => {
  if (entry) return statusName(entry.status) === status ? entry : { ...entry, status };
  const names = Object.keys(orderSummaryShape) as (keyof ListEntry)[];
  const fields = Object.fromEntries(names.map((name) => [name, order?.[name] ?? null]));
  const shown = order && statusName(order.status) === status ? order.status : status;
  return { ...(fields as unknown as ListEntry), id: order?.id ?? Number(id), status: shown };
};

/** Compares the license codes and the delivery status with what is known, and adds the events of new codes. */
const takeCodes = (
  known: Known,
  before: Known | undefined,
  sighting: Sighting,
  events: ChangeEvent[],
  terms: Terms,
): void => {
  const { now, selection } = terms;
  const { entry, order, isNew } = sighting;
  if (!wantsCodes(selection) || !hasLicenseCodes(known.status)) return;
  const wasPaid = !isNew && hasLicenseCodes(before?.status) === true;
  const isChanged = isNew || known.status !== before?.status;
  if (!wasPaid || (known.codes && !known.codes.before && isChanged)) {
    const { delivery, known: names = [] } = known.codes ?? {};
    known.codes = { since: now, delivery, known: isNew ? [] : names };
    if (!order) readSoon(known, now);
  }
  if (entry) takeDelivery(known, sighting, now);
  if (order) takeOrderCodes(known, sighting, events, terms);
};

/** A change of the delivery status shows that the order may have new codes. */
const takeDelivery = (known: Known, { entry, order }: Sighting, now: number): void => {
  const { codes } = known;
  if (!codes || !entry) return;
  const delivery = deliveryOf(entry);
  const { before } = codes;
  if (codes.delivery === undefined) known.codes = { ...codes, delivery };
  else if (codes.delivery !== delivery) {
    known.codes = before ? { since: now, delivery, known: codes.known } : { ...codes, delivery };
    if (!order) readSoon(known, now);
  } else if (before?.at !== undefined && now - before.at >= patienceSeconds)
    settle(known, before.isWhole === true, now);
};

/** Makes the codes of an order's first read old. */
const settle = (known: Known, isWhole: boolean, now: number): void => {
  const { before, ...codes } = known.codes as Codes;
  const names = new Set([...codes.known, ...(before?.found ?? [])]);
  known.codes = isWhole ? undefined : { ...codes, known: [...names] };
  if (!isWhole) known.read ??= { due: now + 60 };
};

const takeOrderCodes = (known: Known, sighting: Sighting, events: ChangeEvent[], terms: Terms): void => {
  const { now, selection, isListed } = terms;
  const { codes, status } = known;
  const order = sighting.order as Order;
  if (!codes) return;
  const found = namedCodes(order);
  // A response without items is too early to tell.
  const isWhole = order.items?.length > 0 && missingCodes({ ...order, status }) === 0;
  if (codes.before?.at === undefined && codes.before) {
    const names = isWhole ? [] : found.map(({ name }) => name);
    known.codes = { ...codes, since: now, before: { at: now, isWhole: isWhole || undefined, found: names } };
    if (found.length === 0) settle(known, false, now);
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
    const eventId = eventIdOf({ event, id: sighting.id, status, code: name });
    events.push({ event, eventId, order: listEntryOf(sighting, status), item: rest, code, ...details });
  }
  known.codes = { ...codes, known: codes.known.concat(fresh.map(({ name }) => name)) };
  // No codes of a completed order are reported unless its status changes, which causes another read.
  if (!isReported && status === 'abgeschlossen') return;
  // A list shows when the order is completed; the read only keeps the order from being dropped without a warning.
  if (!isReported) known.read = { due: now + daySeconds };
  else if (!isWhole) known.read = { due: now + secondsToNextRead(now - codes.since) };
  else if (!isListed(status)) known.codes = { ...known.codes, since: now };
};

/**
 * Returns the seconds until an order is read again: a quarter of the time waited so far, but at least one minute, at
 * most six minutes on the first day, and at most thirty minutes in the first week.
 */
const secondsToNextRead = (waited: number): number => {
  const longest = waited < daySeconds ? 360 : waited < 7 * daySeconds ? 1_800 : Number.POSITIVE_INFINITY;
  return Math.max(60, Math.min(Math.floor(waited / 4), longest));
};

const readSoon = (known: Known, now: number): void => {
  known.read = known.read?.tries ? known.read : { due: now, isUrgent: true };
};

/** Plans the reads that a status needs, and cancels one that the order's list entry makes needless. */
const planRead = (known: Known, { order }: Sighting, { now, isListed }: Terms): void => {
  const { status, backAt, codes } = known;
  const isUnknown = !isDocumented(status);
  if (!order && !isAwaiting(known) && !isUnknown && backAt === undefined) known.read = undefined;
  const dueWithin = (due: number): void => {
    if (!known.read || (known.read.due > due && !known.read.tries)) known.read = { ...known.read, due };
  };
  if (backAt !== undefined) dueWithin(order ? Math.max(backAt, now + 60) : backAt);
  // Only a list entry shows which of the codes are new, and no watched list has one.
  const first = isListed(status) ? undefined : codes?.before?.at;
  if (order && first !== undefined) dueWithin(Math.max(first + patienceSeconds, now + 60));
  if (isUnknown || (order && order.status == null && !isListed(status))) dueWithin(now + hourSeconds);
};

export const wantsCodes = ({ events }: Selection): boolean => events.includes('licenseCodeAvailable');

/** Returns the rank of a status: 1 for paid, 2 for completed, 0 for any other. */
export const rankOf = (status: string): number => ['bezahlt', 'abgeschlossen'].indexOf(status) + 1;

const deliveryOf = ({ lieferstatus }: OrderSummary): string => hash(String(lieferstatus));

/** Whether codes that the order gets are reported as events. */
export const isAwaiting = ({ status, codes }: Known): boolean => {
  const isUndecided = codes?.before !== undefined && (codes.before.at === undefined || codes.before.isWhole === true);
  return codes !== undefined && !isUndecided && hasLicenseCodes(status) === true;
};
