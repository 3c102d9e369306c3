import { type Order, orderStatuses } from '../model/order.ts';
import { type ChangeEvent, eventIdOf, type ListEntry } from './events.ts';
import type { Poll } from './poll.ts';
import type { Held } from './state.ts';
import { statusName } from './status-name.ts';

/** After this long, an event is reported without what cannot be read. */
const patienceSeconds = 600;

/** Turns the events found into what is reported; those that lack their list entry or details wait in the state. */
export const tellHeld = async (poll: Poll): Promise<void> => {
  const { memory } = poll;
  const triesOf = ({ id }: Held): number => memory.failing.get(id)?.tries ?? 0;
  for (const held of memory.held.toSorted((one, other) => triesOf(one) - triesOf(other))) {
    const event = await eventOf(poll, held);
    // What waits goes to the end: the next poll searches for others first.
    memory.held = [...memory.held.filter((other) => other !== held), ...(event ? [] : [held])];
    if (event) poll.events.push(event);
  }
};

const eventOf = async (poll: Poll, held: Held): Promise<ChangeEvent | undefined> => {
  const { selection, reads, warn } = poll;
  const { event, id, status, previousStatus } = held;
  const withDetails = selection.withDetails.includes(event);
  const whole = withDetails ? await reads.getOrder(id, 'event') : 'gone';
  if (whole === undefined || (whole === 'failing' && !isLate(poll, held))) return undefined;
  const entry = await findEntry(poll, id, held);
  if (!entry) return undefined;
  if (withDetails && typeof whole === 'string') {
    warn(`Order ${id} is reported without its details, which could not be read.`);
  }
  const order = statusName(entry.status) === status ? entry : { ...entry, status };
  const common = { eventId: eventIdOf(event, id, status), order, ...(typeof whole === 'object' && { details: whole }) };
  return event === 'statusChanged' ? { event, ...common, previousStatus: previousStatus ?? '' } : { event, ...common };
};

/**
 * The list entry of an order; after ten minutes without it, what else is known.
 * @param wanted since when it has been searched for
 * @param known the order, if it has been read in this poll
 */
export const findEntry = async (
  poll: Poll,
  id: string,
  wanted: { since: number },
  known?: Order,
): Promise<ListEntry | undefined> => {
  const { reads } = poll;
  await readWhereListed(poll, id);
  const seen = reads.entries.get(id);
  if (seen) return seen;
  const order = known ?? (await reads.getOrder(id, 'event'));
  const whole: Partial<Order> = typeof order === 'object' ? order : {};
  const found = typeof order === 'object' ? await reads.findEntry(order) : undefined;
  if (found || !isLate(poll, wanted)) return found ?? undefined;
  const { bestellnummer = null, status = '', gesamtpreis_brutto = null, waehrung = null } = whole;
  const fields = { id: whole.id ?? Number(id), bestellnummer, status, gesamtpreis_brutto, waehrung };
  return { ...fields, created_at: null, zahlungsstatus: null, lieferstatus: null };
};

/** One request for the page where the order should be costs less than a search. */
const readWhereListed = async ({ memory, reads }: Poll, id: string): Promise<void> => {
  if (reads.entries.has(id)) return;
  const status = orderStatuses.find((name) => name === memory.orders.get(id)?.status);
  const place = (status && memory.lists.get(status)?.ids.indexOf(id)) ?? -1;
  const isNewest = memory.head?.seen.has(id) === true;
  if (!isNewest && place < 0) return;
  const query = isNewest ? { page: 2, perPage: 50 } : { status, page: Math.floor(place / 50) + 1, perPage: 50 };
  if (!reads.hasListed(query)) await reads.listOrders(query, 'event');
};

const isLate = ({ now }: Poll, wanted: { since: number }): boolean => {
  // The clock may have been set back.
  wanted.since = Math.min(wanted.since, now);
  return now - wanted.since >= patienceSeconds;
};
