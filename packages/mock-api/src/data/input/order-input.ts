import { refuseUnknownFields } from '../../validate/fields.ts';
import { objectValue, oneOf, text, textOrNull, wholeNumber } from '../../validate/values.ts';
import { amountOf, money } from '../money.ts';
import { type ExtraFields, isEligible, type Order, type Status, statuses, sumUp } from '../order.ts';
import { orderNumber } from '../seed.ts';
import { readUtcText, utcText } from '../utc-time.ts';
import { type ItemInput, inputOfLine, lineFromInput } from './item-input.ts';

/** An order to insert, with the field names of the API (§2.2, §2.4). All fields are optional. */
export interface OrderInput {
  /** Default: the next free ID. */
  id?: number;
  /** Default: derived from ID and date. */
  bestellnummer?: string;
  /** Default: `abgeschlossen`. */
  status?: Status;
  /** Returned unchanged until it is changed. Default: as the settings say. */
  zahlungsstatus?: string | null;
  /** Returned unchanged until it is changed. Default: as the settings say. */
  lieferstatus?: string | null;
  /** E.g. `12.34`. Default: the sum of the items. */
  gesamtpreis_brutto?: string;
  /** ISO 4217. Default: `EUR`. */
  waehrung?: string;
  /** `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601 with `Z`. Default: the mock's current time. */
  created_at?: string;
  /** Default: one item. */
  items?: ItemInput[];
  /** Returned unchanged unless the setting `billing` changes it. Default: the account's address. */
  billing_address?: object | null;
  /** Number of codes delivered so far, counted across the items in order. Default: all. */
  delivered?: number;
  /** Fields not in the API docs, in the list or in the detail. */
  extraFields?: { list?: ExtraFields; detail?: ExtraFields };
}

export const orderFields: readonly (keyof OrderInput)[] = [
  ...(['id', 'bestellnummer', 'status', 'zahlungsstatus', 'lieferstatus', 'gesamtpreis_brutto'] as const),
  ...(['waehrung', 'created_at', 'items', 'billing_address', 'delivered', 'extraFields'] as const),
];

/** Highest ID that leaves room for derived code IDs. */
const maxOrderId = 2 ** 42;
/** Maximum numbers of items and codes per order, limited by the derived IDs. */
const [maxItems, maxCodes] = [64, 1024];

/**
 * Parses an order to insert.
 * @param id used if the input has no ID
 * @param now ms since 1970, used if the input has no date
 * @throws Error that names the invalid field
 */
export const orderFromInput = (input: OrderInput, id: number, now: number): Order => {
  refuseUnknownFields('an order', input, orderFields);
  const { status = 'abgeschlossen', waehrung = 'EUR', created_at, gesamtpreis_brutto: total } = input;
  const { extraFields = {}, bestellnummer, billing_address } = input;
  const own = input.id === undefined ? id : wholeNumber('id', input.id, maxOrderId, 1);
  oneOf('status', status, statuses);
  if (!/^[A-Z]{3}$/.test(text('waehrung', waehrung))) {
    throw new Error(`waehrung must be three capital letters, not "${waehrung}"`);
  }
  const createdAt = created_at === undefined ? Math.floor(now / 1000) * 1000 : readUtcText('created_at', created_at);
  const totalCents = total === undefined ? undefined : amountOf('gesamtpreis_brutto', total);
  // A list entry has no items, so its detail shows one item at its price.
  const { items = [total === undefined ? {} : { einzelpreis_brutto: total }] } = input;
  if (!Array.isArray(items)) throw new Error('items must be an array');
  const lines = Array.from(items, (item, n) => lineFromInput(`items[${n}]`, item, own * 64 + n, isEligible(status)));
  if (lines.length > maxItems && items.some((item) => item.id === undefined)) {
    throw new Error(`an order can have ${maxItems} items without IDs; give each item an id, or remove some`);
  }
  const sums = sumUp(lines);
  const { plannedCodes } = sums;
  if (plannedCodes > maxCodes && lines.some(({ codes, codeCount }) => countIds(codes) < codeCount)) {
    throw new Error(`an order can have ${maxCodes} license codes without IDs; give each code an id, or remove some`);
  }
  refuseUnknownFields('extraFields', extraFields, ['list', 'detail']);
  const { list, detail } = extraFields;
  return {
    id: own,
    ...(bestellnummer === undefined ? {} : { number: text('bestellnummer', bestellnummer) }),
    status,
    ...statesOf(input),
    currency: waehrung,
    createdAt,
    ...sums,
    ...(totalCents === undefined ? {} : { totalCents }),
    delivered: wholeNumber('delivered', input.delivered ?? plannedCodes),
    onInvoice: false,
    lines,
    ...(billing_address === undefined ? {} : { billingAddress: addressOf(billing_address) }),
    ...(list === undefined ? {} : { listFields: objectValue('extraFields.list', list) }),
    ...(detail === undefined ? {} : { detailFields: objectValue('extraFields.detail', detail) }),
  };
};

/** Parses the payment and delivery status of an input or a change. @throws Error unless they are strings or null */
export const statesOf = ({
  zahlungsstatus,
  lieferstatus,
}: Pick<OrderInput, 'zahlungsstatus' | 'lieferstatus'>): Pick<Order, 'paymentStatus' | 'deliveryStatus'> => ({
  ...(zahlungsstatus === undefined ? {} : { paymentStatus: textOrNull('zahlungsstatus', zahlungsstatus) }),
  ...(lieferstatus === undefined ? {} : { deliveryStatus: textOrNull('lieferstatus', lieferstatus) }),
});

const countIds = (codes: Order['lines'][number]['codes'] = []): number =>
  codes.filter(({ id }) => id !== undefined).length;

/** Accepts an empty array, which is how PHP encodes an empty object. */
const addressOf = (value: unknown): object | null => {
  if (value === null || typeof value === 'object') return value;
  throw new Error('billing_address must be an object or null');
};

/** Converts an order back to its input. */
export const inputOf = (order: Order): OrderInput => {
  const { id, status, paymentStatus, deliveryStatus, currency, createdAt, totalCents, delivered } = order;
  const { lines, billingAddress, listFields, detailFields } = order;
  return {
    id,
    bestellnummer: orderNumber(order),
    status,
    ...(paymentStatus === undefined ? {} : { zahlungsstatus: paymentStatus }),
    ...(deliveryStatus === undefined ? {} : { lieferstatus: deliveryStatus }),
    gesamtpreis_brutto: money(totalCents, 'string') as string,
    waehrung: currency,
    created_at: utcText(createdAt),
    items: lines.map(inputOfLine),
    ...(billingAddress === undefined ? {} : { billing_address: billingAddress }),
    delivered,
    ...(listFields || detailFields
      ? { extraFields: { ...(listFields && { list: listFields }), ...(detailFields && { detail: detailFields }) } }
      : {}),
  };
};
