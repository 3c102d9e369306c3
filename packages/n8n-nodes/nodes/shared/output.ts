import { isObject } from '@order-license/core/host';
import {
  type LicenseCode,
  type Order,
  type OrderItem,
  type OrderSummary,
  statusReading,
  toDate,
} from '@order-license/core/portable';
import type { IDataObject, IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { type LicenseKeys, protectOrder } from './license-keys';

/** What one output item represents. */
export type OutputChoice = 'orders' | 'lineItems' | 'licenseCodes';

export const simplifyField = (displayOptions: IDisplayOptions): INodeProperties => ({
  displayName: 'Simplify',
  name: 'simplify',
  type: 'boolean',
  default: true,
  displayOptions,
  description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** For an operation that can read full orders. @param more further choices of the operation */
export const outputField = (displayOptions: IDisplayOptions, ...more: INodePropertyOptions[]): INodeProperties => ({
  displayName: 'Output',
  name: 'output',
  type: 'options',
  default: 'orders',
  displayOptions,
  description: 'What each output item contains',
  options: [
    { name: 'One Item per License Code', value: 'licenseCodes', description: 'With its order and product' },
    { name: 'One Item per Line Item', value: 'lineItems', description: 'With its order' },
    { name: 'One Item per Order', value: 'orders' },
    ...more,
  ],
});

export type AnyOrder = OrderSummary | Order;

/** Options for the output of an order. */
export interface OutputForm {
  /**
   * False: each object as the API sent it, with unchanged amounts. True: a few fields with English names, and times in
   * ISO 8601 (UTC); all other values stay as the API sent them.
   */
  simplify: boolean;
  licenseKeys: LicenseKeys;
  /** Whether the order is an entry of the list: if a service adds line items to it, the simplified form omits them. */
  isEntry?: boolean;
}

export type ProductTest = (productName: unknown) => boolean;

/**
 * An order as output.
 * @param isWanted leaves out the line items and license codes of other products
 */
export const orderItems = (
  order: AnyOrder,
  choice: OutputChoice,
  form: OutputForm,
  isWanted: ProductTest = () => true,
): IDataObject[] => {
  const shown = protectOrder(order, form.licenseKeys);
  if (choice === 'orders') return [form.simplify ? simpleOrder(shown, form) : data(shown)];
  const own = lineItemsOf(order);
  return lineItemsOf(shown).flatMap((item, place) => {
    // Masking needs the whole order, and can change the name.
    if (!isWanted(own[place]?.product_name)) return [];
    if (choice === 'licenseCodes') return codesOf(item).map((code) => shownCode(shown, item, code, form));
    if (!form.simplify) return [data({ order: withoutItems(shown), item })];
    return [
      data({
        ...placeOf(shown),
        ...lineItemFields(item, form),
        currency: shown.waehrung,
        ...statusOf(shown),
        orderId: shown.id,
      }),
    ];
  });
};

/** A license code of an order as output, with its order and product. */
export const codeItem = (order: AnyOrder, item: OrderItem, code: LicenseCode, form: OutputForm): IDataObject => {
  const shown = protectOrder(order, form.licenseKeys);
  const [itsItem, itself] = shown === order ? [item, code] : (protectedCodes(order, shown).get(code) ?? []);
  return itsItem && itself ? shownCode(shown, itsItem, itself, form) : {};
};

type Places = Map<LicenseCode, [OrderItem, LicenseCode]>;
const placesByOrder = new WeakMap<AnyOrder, Places>();

/** Maps each original code to its protected code and line item. An order can have thousands. */
const protectedCodes = (order: AnyOrder, shown: AnyOrder): Places => {
  const known = placesByOrder.get(shown);
  if (known) return known;
  const places: Places = new Map();
  const items = lineItemsOf(shown);
  for (const [place, item] of lineItemsOf(order).entries()) {
    const itsItem = items[place];
    if (!itsItem) continue;
    const codes = codesOf(itsItem);
    for (const [index, code] of codesOf(item).entries()) {
      const itself = codes[index];
      if (itself) places.set(code, [itsItem, itself]);
    }
  }
  placesByOrder.set(shown, places);
  return places;
};

const shownCode = (order: AnyOrder, item: OrderItem, code: LicenseCode, form: OutputForm): IDataObject =>
  form.simplify
    ? data({
        ...placeOf(order),
        productName: item.product_name,
        ...codeFields(code, form),
        ...statusOf(order),
        orderId: order.id,
      })
    : data({ order: withoutItems(order), item: without(item, 'license_codes'), license_code: code });

/** An order without its items, and so without license keys. */
export const withoutItems = (order: AnyOrder): AnyOrder => without(order, 'items') as AnyOrder;

/** The line items of an order; empty for a list entry. */
export const lineItemsOf = (order: AnyOrder): OrderItem[] =>
  'items' in order && Array.isArray(order.items) ? order.items.filter(isObject) : [];

/** The license codes of a line item; an unpaid order has `[]`, null or no such field (§3). */
export const codesOf = ({ license_codes }: OrderItem): LicenseCode[] =>
  Array.isArray(license_codes) ? license_codes.filter(isObject) : [];

/**
 * Two formats: a list entry has the date, payment status and delivery status; a single order has line items and the
 * billing address.
 */
const simpleOrder = (order: AnyOrder, form: OutputForm): IDataObject =>
  data({
    ...placeOf(order),
    grossTotal: order.gesamtpreis_brutto,
    currency: order.waehrung,
    ...statusOf(order),
    ...progressOf(order),
    orderId: order.id,
    ...('items' in order &&
      !form.isEntry && {
        lineItems: lineItemsOf(order).map((item) => lineItemFields(item, form)),
        billingAddress: order.billing_address ?? null,
      }),
  });

/** The first fields of every item. */
const placeOf = (order: AnyOrder): object => ({
  orderNumber: order.bestellnummer,
  ...(hasField(order, 'created_at') && { createdAt: toDate(order.created_at)?.toISOString() ?? null }),
});

const statusOf = ({ status }: AnyOrder): object => ({ status, statusInEnglish: statusReading(status) ?? null });

/** The payment and delivery status. */
export const progressOf = (order: AnyOrder): object => ({
  ...(hasField(order, 'zahlungsstatus') && { paymentStatus: order.zahlungsstatus ?? null }),
  ...(hasField(order, 'lieferstatus') && { deliveryStatus: order.lieferstatus ?? null }),
});

/** Whether a list entry's field is shown: for a single order, only if it is known (S-88). */
const hasField = (order: AnyOrder, name: keyof OrderSummary): boolean => !('items' in order) || name in order;

const lineItemFields = (item: OrderItem, form: OutputForm): object => ({
  productName: item.product_name,
  quantity: item.menge,
  grossUnitPrice: item.einzelpreis_brutto,
  licenseCodes: codesOf(item).map((code) => codeFields(code, form)),
  lineItemId: item.id,
});

const codeFields = (code: LicenseCode, { licenseKeys }: OutputForm): object => ({
  ...(licenseKeys !== 'leftOut' && { licenseKey: code.license_key }),
  codeType: code.code_typ,
  ...(licenseKeys !== 'leftOut' && {
    downloadUrl64: code.download_url_64 ?? null,
    downloadUrl32: code.download_url_32 ?? null,
  }),
  allowedActivations: code.aktivierungen_bestellung,
  licenseCodeId: code.id,
});

const without = (fields: object, name: string): object =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));

const data = (value: object): IDataObject => value as IDataObject;
