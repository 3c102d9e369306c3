import { utcText } from '../limit/utc-time.ts';
import { type Json, textOf, wholeNumber } from '../settings/json.ts';
import type { Account } from './accounts.ts';
import type { CodeDraft, KeySource } from './license-codes.ts';
import { centsOf, money } from './money.ts';
import { codeFields, filler, type ItemInput, itemFields, namesIn, orderFields } from './order-fields.ts';
import { isEligible, type Status } from './statuses.ts';

/** An order as it was given or generated: the fields of its two documents, and what only the mock needs. */
export interface Given {
  list: Json;
  detail: Json;
  /** Number of codes delivered so far. Default: all. */
  delivered?: number | undefined;
  /** Whether the order was delivered before payment: it is completed, but its `zahlungsstatus` is open. */
  onInvoice?: boolean | undefined;
}

/** What lists sort and filter by. */
export interface Listed {
  /** Name of the account that the order belongs to. */
  account: string;
  id: number;
  /** At run time, a given order can have any other status text. */
  status: Status;
  /** ms since 1970, whole seconds. */
  createdAt: number;
}

/** An order in a list. */
export interface OrderEntry extends Listed {
  /** The list entry (§2.2) under default settings. */
  list: Json;
  /** Number of codes delivered so far, whether or not the status allows to show them. */
  delivered: number;
  /** Number of codes when all are delivered. */
  planned: number;
}

/** An order as two API documents, complete under default settings. */
export interface Order extends OrderEntry {
  /** The detail (§2.4), with the codes that are delivered and that the status allows. */
  detail: Json;
}

/** What the fields of an order are made of. */
export interface OrderDraft extends Listed {
  /** The order number. */
  number: string;
  onInvoice: boolean;
  delivered: number;
  planned: number;
  totalCents: bigint;
  items: unknown;
  address: Json;
}

/** Maximum number of codes that are made up for an item whose `license_codes` are omitted. */
export const maxMadeUpCodes = 1024;

/**
 * Returns the first ID for the items or codes of an order. It stays well below 2^53, so that no two of them round to the
 * same number.
 * @param size how many IDs each order reserves
 */
const idBelow = (orderId: number, size: number): number => (1 + ((orderId - 1) % (2 ** 52 / size))) * size;

const listNames = namesIn(orderFields, 'list');
const detailNames = namesIn(orderFields, 'detail');
const onlyInList = listNames.filter((name) => !detailNames.includes(name));
const onlyInDetail = detailNames.filter((name) => !listNames.includes(name));
const fillList = filler<OrderDraft>(orderFields, 'list');
const fillDetail = filler<OrderDraft>(orderFields, 'detail');
const fillItem = filler<{ id: number }>(itemFields);
const fillCode = filler<CodeDraft>(codeFields);

/** Assigns hand-written fields to the two documents. A field that the API docs don't name belongs to both. */
export const givenBy = (fields: Json): Pick<Given, 'list' | 'detail'> => ({
  list: without(fields, onlyInDetail),
  detail: without(fields, onlyInList),
});

/** Copies the fields that only one of the documents was given to the other one. */
export const completed = ({ list, detail }: Pick<Given, 'list' | 'detail'>): Pick<Given, 'list' | 'detail'> => ({
  list: { ...only(detail, (name) => listNames.includes(name)), ...list },
  detail: { ...only(list, (name) => detailNames.includes(name)), ...detail },
});

export const only = (fields: Json, isWanted: (name: string) => boolean): Json =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));
const without = (fields: Json, names: readonly string[]): Json => only(fields, (name) => !names.includes(name));

/** Makes the list entry of an order. License keys are made only for details. */
export const makeEntry = (listed: Listed, given: Given, account: Account): OrderEntry => {
  const draft = draftOf(listed, given, account, plansOf(listed, given));
  return { ...listed, list: fillList(draft, given.list), delivered: draft.delivered, planned: draft.planned };
};

/**
 * Makes both documents of an order: a pure function of what is given, of its ID and of the seed. The list entry is made
 * when somebody reads it.
 */
export const makeOrder = (listed: Listed, given: Given, account: Account, source: KeySource): Order => {
  const plans = plansOf(listed, given);
  const draft = draftOf(listed, given, account, plans);
  let left = isEligible(listed.status) ? draft.delivered : 0;
  let serial = 0;
  const items = plans.map((plan) => {
    const shown = Math.min(left, plan.count);
    if (shown > 0) plan.fields.license_codes = codesOf(plan, shown, { source, orderId: listed.id, serial });
    serial += plan.count;
    left -= shown;
    return plan.fields;
  });
  const { detail } = given;
  const isList = detail.items === undefined || Array.isArray(detail.items);
  return {
    ...listed,
    detail: fillDetail(draft, isList ? { ...detail, items } : detail),
    delivered: draft.delivered,
    planned: draft.planned,
    get list() {
      return fillList(draft, given.list);
    },
  };
};

/** Makes the first `size` codes of an item, whose first code is the order's code number `serial`. */
const codesOf = (
  { fields, codeType, downloads, activations, codes }: ItemPlan,
  size: number,
  { source, orderId, serial }: Pick<CodeDraft, 'source' | 'orderId' | 'serial'>,
): Json[] => {
  const firstId = idBelow(orderId, 1024) + serial;
  const common = { source, orderId, itemId: fields.id, codeType, downloads, activations };
  return Array.from({ length: size }, (_, index) =>
    fillCode({ ...common, id: firstId + index, serial: serial + index, index }, codes[index]),
  );
};

/** An item, and how many codes it has. */
interface ItemPlan {
  /** The fields without license codes: `license_codes` is an empty list, or null if it is given as null. */
  fields: Json;
  cents: bigint;
  quantity: number;
  codeType: string;
  downloads: string;
  activations: number;
  /** Number of codes when all are delivered. */
  count: number;
  /** The given codes; their missing fields are made up. */
  codes: readonly Json[];
}

const standardCents = centsOf(itemFields.einzelpreis_brutto.made?.({ id: 0 })) as bigint;

const plansOf = ({ id }: Listed, { list, detail }: Given): ItemPlan[] => {
  const stated = centsOf(list.gesamtpreis_brutto) ?? centsOf(detail.gesamtpreis_brutto);
  // An order without items has one item at the order's price.
  const inputs =
    detail.items ?? (detail.items === null ? [] : [stated === undefined ? {} : { einzelpreis_brutto: money(stated) }]);
  if (!Array.isArray(inputs)) return [];
  return inputs.map((item: Json, n) => planOf(item, idBelow(id, 64) + n));
};

const planOf = (given: Json, id: number): ItemPlan => {
  const { code_typ, aktivierungen_bestellung, downloads = 'both', ...rest } = given as ItemInput;
  const stated = wholeNumber(rest.license_codes);
  const codes = Array.isArray(stated) ? (stated as Json[]) : [];
  const fields = fillItem({ id }, { ...(rest as Json), license_codes: stated === null ? null : [] });
  const firstType = codes.find((code) => code.code_typ !== undefined)?.code_typ;
  const hasNone = code_typ === null;
  const codeType = textOf(code_typ ?? firstType ?? 'retail');
  const menge = textOf(fields.menge);
  const quantity = /^-?\d{1,15}$/.test(menge) ? Number(menge) : 1;
  const isVolume = codeType === 'volumen';
  // A credit note has negative quantities.
  const units = Math.max(0, quantity);
  const madeUp = hasNone ? 0 : Math.min(units, isVolume ? 1 : maxMadeUpCodes);
  return {
    fields,
    cents: centsOf(fields.einzelpreis_brutto) ?? standardCents,
    quantity,
    codeType,
    downloads,
    activations: Number(wholeNumber(aktivierungen_bestellung) ?? (isVolume ? units : 1)),
    count: stated === undefined ? madeUp : typeof stated === 'number' ? stated : codes.length,
    codes,
  };
};

const draftOf = (listed: Listed, given: Given, { name, company }: Account, plans: readonly ItemPlan[]): OrderDraft => {
  const planned = plans.reduce((sum, { count }) => sum + count, 0);
  return {
    ...listed,
    number: numberOf(listed),
    onInvoice: given.onInvoice === true,
    delivered: given.delivered ?? planned,
    planned,
    totalCents: plans.reduce((sum, { cents, quantity }) => sum + cents * BigInt(quantity), 0n),
    items: [],
    address: { name, company, street: 'Hauptstraße 1', postal_code: '01067', city: 'Dresden', country: 'DE' },
  };
};

/** Seeded orders have IDs from here on. */
export const firstId = 10_001;

/** Makes up an order number such as `B-2026-000042`, which is unique across accounts. */
const numberOf = ({ id, createdAt }: Listed): string => {
  // Inserted orders can have IDs below `firstId`; a different letter keeps their numbers unique.
  const [letter, run] = id < firstId ? ['A', id] : ['B', id - firstId + 1];
  return `${letter}-${utcText(createdAt).slice(0, 4)}-${String(run).padStart(6, '0')}`;
};
