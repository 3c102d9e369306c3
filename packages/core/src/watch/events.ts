import { argumentError } from '../base/errors.ts';
import { checkStatus, type LicenseCode, type Order, type OrderItem, type OrderSummary } from '../model/order.ts';

/** The events that `changes` and `watch` report, and the values of their `events` option. */
export const changeNames = ['newOrder', 'statusChanged', 'paid', 'completed', 'licenseCodeAvailable'] as const;
export type ChangeName = (typeof changeNames)[number];

/** The list entry of an order (§2.2). If it is not found in the list, the fields that the order lacks are null. */
export type ListEntry = Pick<OrderSummary, 'id' | 'status'> & {
  [Field in Exclude<keyof OrderSummary, 'id' | 'status'>]: OrderSummary[Field] | null;
};

/** Fields that all events have. */
interface EventOfOrder {
  /**
   * Identifies the event: an event repeated after a crash has the same `eventId`. Two `statusChanged` events also have
   * the same `eventId` if the order returns to a status that it had before.
   */
  eventId: string;
  /** The list entry of the order. Its `status` is the one that the event reports. */
  order: ListEntry;
  /**
   * With `includeDetails`, the order with its items. Absent if it could not be read for ten minutes.
   */
  details?: Order;
}

/** Something that happened to an order. */
export type ChangeEvent = EventOfOrder &
  (
    | { event: 'newOrder' }
    /**
     * `paid` and `completed`: the order has reached this status for the first time (§3). An order that is first seen as
     * completed causes both events.
     */
    | { event: 'paid' }
    | { event: 'completed' }
    /** `previousStatus` is `other-` followed by a hash if the API docs do not name that status. */
    | { event: 'statusChanged'; previousStatus: string }
    /** `item` is the code's line item, without its `license_codes`. */
    | { event: 'licenseCodeAvailable'; item: Omit<OrderItem, 'license_codes'>; code: LicenseCode }
  );

/** The caller's choices; see `ChangesOptions`. */
type SelectionOptions = { [Name in 'events' | 'statuses' | 'watch']?: Selection[Name] | undefined } & {
  includeDetails?: boolean | readonly ChangeName[] | undefined;
};

/** Which events of which orders are reported. */
export interface Selection {
  events: readonly ChangeName[];
  /**
   * Only orders that have one of these statuses when the event occurs are reported. If the list is empty, all orders
   * are reported.
   */
  statuses: readonly string[];
  /** `open`: changes of pending and paid orders; `all`: also changes of completed and cancelled orders. */
  watch: 'open' | 'all';
  /** Events that include the whole order. */
  withDetails: readonly ChangeName[];
}

/** @throws `bad_request` for an unknown event, status or value of `watch`, or if no event is selected */
export const selectionOf = ({ includeDetails = false, ...options }: SelectionOptions): Selection => {
  const { events = [], statuses = [], watch = 'open' } = options;
  const withDetails = typeof includeDetails === 'boolean' ? (includeDetails ? changeNames : []) : includeDetails;
  if (events.length === 0 || ![...events, ...withDetails].every((event) => changeNames.includes(event))) {
    const names = changeNames.join(', ');
    throw argumentError(
      `\`events\` must be one or more of ${names}; \`includeDetails\` must be a boolean or a list of these`,
    );
  }
  statuses.forEach(checkStatus);
  if (watch !== 'open' && watch !== 'all') throw argumentError('`watch` must be `open` or `all`');
  return { events, statuses, watch, withDetails };
};

export const isWanted = ({ events, statuses }: Selection, event: ChangeName, status: string): boolean =>
  events.includes(event) && (statuses.length === 0 || statuses.includes(status));

export const wantsCodes = ({ events }: Selection): boolean => events.includes('licenseCodeAvailable');

/** Returns the rank of a status: 1 for paid, 2 for completed, 0 for any other. */
export const rankOf = (status: string): number => ['bezahlt', 'abgeschlossen'].indexOf(status) + 1;

const prefixes = {
  newOrder: 'new-order',
  statusChanged: 'status',
  paid: 'paid',
  completed: 'completed',
  licenseCodeAvailable: 'license-code',
} as const;

/** Returns the `eventId` of an event. For `licenseCodeAvailable`, `code` is the name of the license code. */
export const eventIdOf = (of: { event: ChangeName; id: string; status: string; code?: string | undefined }): string => {
  const { event, id, status, code } = of;
  return [prefixes[event], id, ...(event === 'statusChanged' ? [status] : []), ...(code ? [code] : [])].join(':');
};

/** Sorts the events of a poll: the oldest orders first, and the events of one order as they happened. */
export const sortEvents = (events: ChangeEvent[]): ChangeEvent[] =>
  events.toSorted((one, other) => {
    const [a, b] = [one.order.created_at ?? '', other.order.created_at ?? ''];
    if (a !== b) return a < b ? -1 : 1;
    return Number(one.order.id) - Number(other.order.id) || placeOf(one) - placeOf(other);
  });

const placeOf = ({ event }: ChangeEvent): number => changeNames.indexOf(event);
