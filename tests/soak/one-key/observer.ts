import type { IDataObject } from 'n8n-workflow';
import type { Intervals } from './intervals.ts';
import type { Emission, TriggerSettings } from './poller.ts';
import type { Shop, ShopEvent } from './shop.ts';
import { minuteMs } from './virtual-day.ts';

/**
 * Kinds of events that a trigger must emit. `pendingStatus` is a change from pending; `otherStatus` is any other change
 * of status.
 */
export const kinds = ['newOrder', 'paid', 'completed', 'pendingStatus', 'otherStatus', 'licenseCode'] as const;
export type Kind = (typeof kinds)[number];

/** Compares what a trigger reported with the shop's history. */
export interface Delivery {
  /**
   * For each kind, the time from each event to its emission, ms, not counting time in which the API or n8n was down.
   */
  latencies: Record<Kind, number[]>;
  /** Expected events that were never emitted. */
  lost: string[];
  /** `eventId`s that were repeated although n8n had saved the state after the first emission. */
  repeated: string[];
  /** Events that were emitted again, by the same trigger or another one, with a different `eventId`. */
  renamed: string[];
  /** Items about something that never happened, or that happened before the trigger existed. */
  unexpected: string[];
}

/** The content of an item in one form, whether it was simplified or not. */
interface Told {
  at: number;
  event: string;
  eventId: string;
  id: number;
  status: string;
  previousStatus: unknown;
  code: number | undefined;
}

/**
 * Maximum time until a trigger first reads a new order. The trigger cannot notice changes made to the order before
 * that.
 */
const metWithinMs = 2 * minuteMs;
const isPaidFor = (status: string | undefined): boolean => status === 'bezahlt' || status === 'abgeschlossen';

/**
 * Compares what a trigger emitted with what happened, independently of the trigger's implementation.
 * @param times when the API or n8n was down, and when the trigger could not poll
 * @param names the `eventId` of each event that any trigger has emitted so far; it must depend on the event alone
 */
export const judge = (
  shop: Shop,
  emissions: Emission[],
  { parameters }: Pick<TriggerSettings, 'parameters'>,
  { down, pauses }: { down: Intervals; pauses: Intervals },
  names: Map<string, string>,
): Delivery => {
  const delivery: Delivery = {
    latencies: { newOrder: [], paid: [], completed: [], pendingStatus: [], otherStatus: [], licenseCode: [] },
    lost: [],
    ...findRepeats(emissions, names),
    unexpected: [],
  };
  const events = new Set(parameters.events as string[]);
  const emitted = emissions.flatMap(({ at, items }) => items.map((item) => readItem(at, item)));
  const emittedOf = byId(emitted);
  const historyOf = byId(shop.history);

  const expect = (kind: Kind, since: ShopEvent, name: string, isIt: (item: Told) => boolean): void => {
    const first = emittedOf.get(since.id)?.find((item) => item.at >= since.at && isIt(item));
    if (first) delivery.latencies[kind].push(down.outside(since.at, first.at));
    else delivery.lost.push(`${kind} ${since.id} ${name} ${new Date(since.at).toISOString()}`);
  };

  for (const [id, history] of historyOf) {
    const [first] = history;
    const createdAt = first?.kind === 'created' ? first.at : undefined;
    // An order that arrives during the first poll may be emitted or not.
    if (createdAt !== undefined && createdAt < shop.startedAt() + minuteMs) continue;
    const isMet = (at: number): boolean => createdAt === undefined || pauses.outside(createdAt, at) > metWithinMs;
    let wasPaidFor = isPaidFor(shop.statusAtStart.get(id));
    let wasCompleted = shop.statusAtStart.get(id) === 'abgeschlossen';
    for (const [place, event] of history.entries()) {
      if (event.kind === 'created' && events.has('newOrder')) {
        expect('newOrder', event, '', (item) => item.event === 'newOrder');
      }
      if (event.kind !== 'codes' && isPaidFor(event.status) && !wasPaidFor) {
        wasPaidFor = true;
        if (events.has('paid')) {
          expect('paid', event, '', (item) => item.event === 'paid');
        }
      }
      if (event.kind !== 'codes' && event.status === 'abgeschlossen' && !wasCompleted) {
        wasCompleted = true;
        if (events.has('completed')) expect('completed', event, '', (item) => item.event === 'completed');
      }
      if (event.kind === 'status' && events.has('statusChanged') && isMet(event.at)) {
        // If the status changes again before the next poll, the trigger reports only the later status.
        const later = history.slice(place).flatMap((next) => (next.kind === 'codes' ? [] : [next.status as string]));
        const isIt = (item: Told) => item.event === 'statusChanged' && later.includes(item.status);
        expect(event.from === 'ausstehend' ? 'pendingStatus' : 'otherStatus', event, event.status, isIt);
      }
      if (event.kind === 'codes' && events.has('licenseCodeAvailable')) {
        for (const code of event.codes) expect('licenseCode', event, String(code), (item) => item.code === code);
      }
    }
  }
  for (const item of emitted) {
    if (!hasHappened(item, historyOf.get(item.id) ?? [])) delivery.unexpected.push(`${item.eventId} ${item.status}`);
  }
  return delivery;
};

const byId = <Item extends { id: number }>(items: Item[]): Map<number, Item[]> => {
  const found = new Map<number, Item[]>();
  for (const item of items) {
    const known = found.get(item.id);
    if (known) known.push(item);
    else found.set(item.id, [item]);
  }
  return found;
};

const hasHappened = ({ at, event, status, code }: Told, history: ShopEvent[]): boolean =>
  history.some((happened) => {
    if (happened.at > at) return false;
    if (event === 'licenseCodeAvailable') return happened.kind === 'codes' && happened.codes.includes(code ?? -1);
    if (event === 'newOrder') return happened.kind === 'created';
    if (event === 'statusChanged') return happened.kind === 'status' && happened.status === status;
    if (event === 'completed') return happened.kind !== 'codes' && happened.status === 'abgeschlossen';
    return happened.kind !== 'codes' && isPaidFor(happened.status);
  });

const findRepeats = (emissions: Emission[], names: Map<string, string>): Pick<Delivery, 'repeated' | 'renamed'> => {
  const repeated: string[] = [];
  const renamed: string[] = [];
  const seen = new Map<string, Emission>();
  for (const emission of emissions) {
    for (const item of emission.items) {
      const { eventId, event, id, status, previousStatus, code } = readItem(emission.at, item);
      const isOneStatus = event === 'statusChanged';
      const key = [event, id, code, ...(isOneStatus ? [previousStatus, status] : [])].join();
      const name = names.get(key);
      if (name !== undefined && name !== eventId) renamed.push(`${name} as ${eventId}`);
      names.set(key, eventId);
      const before = seen.get(eventId);
      if (before && !before.isUnsaved) repeated.push(eventId);
      seen.set(eventId, emission);
    }
  }
  return { repeated, renamed };
};

const readItem = (at: number, item: IDataObject): Told => {
  const order = (item.order ?? item) as IDataObject;
  const code = (item.license_code as IDataObject | undefined)?.id ?? item.licenseCodeId;
  return {
    at,
    event: String(item.event),
    eventId: String(item.eventId),
    id: Number(item.orderId ?? order.id),
    status: String(order.status),
    previousStatus: item.previousStatus,
    code: code === undefined ? undefined : Number(code),
  };
};
