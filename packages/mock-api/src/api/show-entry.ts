import { putGiven } from '../data/given-form.ts';
import { money } from '../data/money.ts';
import { isEligible, type OrderSummary } from '../data/order.ts';
import { orderNumber } from '../data/seed.ts';
import type { Settings } from '../settings/settings.ts';
import { utcText } from '../utc-time.ts';
import { writeId } from './order-id.ts';

/** Serializes an element of `orders[]` (§2.2). */
export const serializeListEntry = (order: OrderSummary, settings: Settings): Record<string, unknown> => {
  const { paymentStatus } = order;
  const entry = {
    id: settings.ids === 'safe' ? order.id : writeId(order.id, settings.ids),
    bestellnummer: orderNumber(order),
    status: statusOf(order, settings),
    zahlungsstatus: paymentStatus === undefined ? pick(settings.zahlungsstatus, payment(order)) : paymentStatus,
    gesamtpreis_brutto: money(order.totalCents, settings.money),
    waehrung: order.currency,
    created_at: dateOf(order, settings),
    lieferstatus: pick(settings.lieferstatus, delivery(order)),
  };
  if (order.given) putGiven(entry, order.given.list, settings, ['status']);
  return entry;
};

/** 0 open, 1 paid, 2 refunded. */
const payment = ({ status, onInvoice }: OrderSummary): number => {
  if (status === 'storniert') return 2;
  return isEligible(status) && !onInvoice ? 1 : 0;
};

/** 0 nothing delivered, 1 some, 2 all. */
const delivery = ({ status, delivered, plannedCodes }: OrderSummary): number => {
  if (!isEligible(status)) return 0;
  if (delivered >= plannedCodes) return 2;
  return delivered > 0 ? 1 : 0;
};

/** Returns the word for a state; the word "null" means `null`. */
const pick = (values: readonly string[], index: number): string | null => {
  const value = values[index % values.length] as string;
  return value === 'null' ? null : value;
};

/** A status that a later API version might add. */
const laterStatus = 'in_pruefung';

/** With `futureValues`, a third of the pending orders have the later status, since they have no codes. */
const statusOf = ({ id, status }: OrderSummary, { futureValues }: Settings): string =>
  futureValues === 'on' && status === 'ausstehend' && id % 3 === 0 ? laterStatus : status;

const dateOf = ({ id, createdAt }: OrderSummary, { dates, sortDate }: Settings): string | null => {
  if (dates === 'null') return null;
  if (dates === 'zero') return '0000-00-00 00:00:00';
  // If the list is sorted by a hidden date, created_at is up to three days earlier.
  const at = sortDate === 'other' ? createdAt - (id % 4) * 86_400_000 : createdAt;
  return dates === 'iso' ? new Date(at).toISOString() : utcText(at);
};
