import { refuseUnknownFields } from '../validate/fields.ts';
import { objectValue, oneOf, text, textOrNull, wholeNumber } from '../validate/values.ts';
import { type ItemInput, inputOfLine, lineFromInput } from './item-input.ts';
import { amountOf, money } from './money.ts';
import { type ExtraFields, isEligible, type Order, type Status, statuses, sumUp } from './order.ts';
import { orderNumber } from './seed.ts';
import { readUtcText, utcText } from './utc-time.ts';

/** An order to insert, in the words of the API (§2.2, §2.4). All of it may be left out. */
export interface OrderInput {
  /** The next free one where absent. */
  id?: number;
  /** Made from id and date where absent. */
  bestellnummer?: string;
  /** `abgeschlossen` where absent. */
  status?: Status;
  /** Answered as it is until it is changed; by the settings where absent. */
  zahlungsstatus?: string | null;
  /** Answered as it is until it is changed; by the settings where absent. */
  lieferstatus?: string | null;
  /** Like `12.34`; the sum of the items where absent. */
  gesamtpreis_brutto?: string;
  /** ISO 4217; `EUR` where absent. */
  waehrung?: string;
  /** `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601 with `Z`; the mock's now where absent. */
  created_at?: string;
  /** One position where absent. */
  items?: ItemInput[];
  /** Answered as it is unless the setting `billing` says otherwise; the account's where absent. */
  billing_address?: object | null;
  /** Codes delivered so far, over all items in their order; all where absent. */
  delivered?: number;
  /** Fields that the API docs do not name, in the list or in the detail. */
  extraFields?: { list?: ExtraFields; detail?: ExtraFields };
}

export const orderFields: readonly (keyof OrderInput)[] = [
  ...(['id', 'bestellnummer', 'status', 'zahlungsstatus', 'lieferstatus', 'gesamtpreis_brutto'] as const),
  ...(['waehrung', 'created_at', 'items', 'billing_address', 'delivered', 'extraFields'] as const),
];

/** Room for the ids of codes, which the mock makes of it. */
const maxOrderId = 2 ** 42;
/** The mock makes ids for so many items and codes of one order. */
const [maxItems, maxCodes] = [64, 1024];

/**
 * The order of an input.
 * @param id for an input without one
 * @param now ms since 1970, for an input without a date
 * @throws Error with a sentence that names what is wrong in the input
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
  // An order of the list alone has no items: one at its price is what its detail shows.
  const { items = [total === undefined ? {} : { einzelpreis_brutto: total }] } = input;
  if (!Array.isArray(items)) throw new Error('items must be an array');
  const lines = Array.from(items, (item, n) => lineFromInput(`items[${n}]`, item, own * 64 + n, isEligible(status)));
  if (lines.length > maxItems && items.some((item) => item.id === undefined)) {
    throw new Error(`an order has at most ${maxItems} items, or each of them an id`);
  }
  const sums = sumUp(lines);
  const { plannedCodes } = sums;
  if (plannedCodes > maxCodes && lines.some(({ codes, codeCount }) => countIds(codes) < codeCount)) {
    throw new Error(`an order holds at most ${maxCodes} license codes, or each of them has an id`);
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

/** The words for payment and delivery that an input or a change gives. @throws Error unless they are texts or null */
export const statesOf = ({
  zahlungsstatus,
  lieferstatus,
}: Pick<OrderInput, 'zahlungsstatus' | 'lieferstatus'>): Pick<Order, 'paymentStatus' | 'deliveryStatus'> => ({
  ...(zahlungsstatus === undefined ? {} : { paymentStatus: textOrNull('zahlungsstatus', zahlungsstatus) }),
  ...(lieferstatus === undefined ? {} : { deliveryStatus: textOrNull('lieferstatus', lieferstatus) }),
});

const countIds = (codes: Order['lines'][number]['codes'] = []): number =>
  codes.filter(({ id }) => id !== undefined).length;

/** PHP writes an empty object as a list. */
const addressOf = (value: unknown): object | null => {
  if (value === null || typeof value === 'object') return value;
  throw new Error('billing_address must be an object or null');
};

/** The input that gives the order again. */
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
