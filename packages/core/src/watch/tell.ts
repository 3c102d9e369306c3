import { type Order, orderSummaryShape } from '../model/order.ts';
import { deliveryOf } from './codes.ts';
import { type ChangeEvent, eventIdOf, type ListEntry } from './events.ts';
import { codeNamed, statusName } from './names.ts';
import type { Poll } from './poll.ts';
import type { Held } from './state.ts';

/** After this long, an event is reported without the data that cannot be read. */
const patienceSeconds = 600;

/** Turns the events found into the events to report. Events that lack their list entry or details wait in the state. */
export const tellHeld = async (poll: Poll): Promise<void> => {
  const { state } = poll;
  const triesOf = ({ id }: Held): number => state.toRead.get(id)?.tries ?? 0;
  const done = new Set<Held>();
  const waiting: Held[] = [];
  try {
    for (const held of state.held.toSorted((one, other) => triesOf(one) - triesOf(other))) {
      const event = await eventOf(poll, held);
      done.add(held);
      if (event === 'waits') waiting.push(held);
      if (typeof event === 'object') poll.events.push(event);
    }
  } finally {
    // Waiting events go to the end, so that the next poll searches for the list entries of other events first.
    state.held = [...state.held.filter((held) => !done.has(held)), ...waiting];
  }
  const late = state.held.filter((held) => isLate(poll, held)).length;
  if (late === 0) return;
  poll.warnHourly(
    'late',
    `${late === 1 ? '1 event has' : `${late} events have`} waited for more than ten minutes, because an order could not be read or the rate limit was reached. Later polls try again.`,
  );
};

const eventOf = async (poll: Poll, held: Held): Promise<ChangeEvent | 'waits' | 'void'> => {
  const { selection, reads, warn } = poll;
  const { event, id, status, previousStatus = '', oldWith } = held;
  const withDetails = selection.withDetails.includes(event);
  const isCode = event === 'licenseCodeAvailable';
  const whole = withDetails || isCode ? await reads.getOrder(id, 'event') : 'unusable';
  const isRead = typeof whole === 'object';
  if (whole === undefined || (whole === 'failing' && !isLate(poll, held))) return 'waits';
  if (isCode && !isRead) return whole === 'gone' ? 'void' : 'waits';
  const entry = await entryOrRest(poll, held);
  if (!entry) return 'waits';
  if (entry === 'unlisted') {
    warn(
      `License code ${held.code} of order ${id} is not reported: the order was not found in the list for ten minutes, so it is unknown whether the code is new.`,
    );
    return 'void';
  }
  const order = statusName(entry.status) === status ? entry : { ...entry, status };
  const common = { eventId: eventIdOf(held), order, ...(withDetails && isRead && { details: whole }) };
  if (isCode) {
    const named = isRead && codeNamed(whole, held.code);
    if (!named || deliveryOf(entry) === oldWith) return 'void';
    const { license_codes: _, ...item } = named.item;
    return { event, ...common, item, code: named.code };
  }
  if (withDetails && !isRead) warn(`Order ${id} is reported without its details, which could not be read.`);
  return event === 'statusChanged' ? { event, ...common, previousStatus } : { event, ...common };
};

/**
 * Returns the list entry of an order. After ten minutes without it, returns what else is known, or `unlisted` if the
 * event depends on the entry. Returns undefined if the event must wait.
 */
const entryOrRest = async (poll: Poll, held: Held): Promise<ListEntry | 'unlisted' | undefined> => {
  const { id, oldWith } = held;
  const found = await poll.reads.findEntry(id);
  if (found === undefined || typeof found === 'object') return found;
  if (!isLate(poll, held)) return undefined;
  // Without the entry, it is unknown which codes the order had before.
  if (oldWith !== undefined) return found === 'unlisted' ? found : undefined;
  const order = await poll.reads.getOrder(id, 'event');
  const whole: Partial<Order> = typeof order === 'object' ? order : {};
  const names = Object.keys(orderSummaryShape) as (keyof ListEntry)[];
  const fields = Object.fromEntries(names.map((name) => [name, whole[name] ?? null]));
  return { ...(fields as unknown as ListEntry), id: whole.id ?? Number(id), status: whole.status ?? '' };
};

const isLate = ({ state }: Poll, { since }: Held): boolean => state.now - since >= patienceSeconds;
