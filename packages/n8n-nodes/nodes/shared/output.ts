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
export const outputChoices = ['orders', 'positions', 'licenseCodes'] as const;
export type OutputChoice = (typeof outputChoices)[number];

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
    { name: 'One Item per Order', value: 'orders' },
    { name: 'One Item per Position', value: 'positions', description: 'With its order' },
    ...more,
  ],
});

export type AnyOrder = OrderSummary | Order;

/** Options for the output of an order. */
export interface OutputForm {
  /**
   * False: each object as the service sent it, with unchanged amounts. True: a few fields with English names, times in
   * ISO 8601 UTC; the values stay those of the service.
   */
  simplify: boolean;
  licenseKeys: LicenseKeys;
}

/** An order as output. */
export const orderItems = (order: AnyOrder, choice: OutputChoice, form: OutputForm): IDataObject[] => {
  const shown = protectOrder(order, form.licenseKeys);
  if (choice === 'orders') return [form.simplify ? simpleOrder(shown, form) : data(shown)];
  return positionsOf(shown).flatMap((position) => {
    if (choice === 'licenseCodes') return codesOf(position).map((code) => shownCode(shown, position, code, form));
    return [
      form.simplify ? simplePosition(shown, position, form) : data({ order: withoutItems(shown), item: position }),
    ];
  });
};

/** A license code of an order as output, with its order and product. */
export const codeItem = (order: AnyOrder, position: OrderItem, code: LicenseCode, form: OutputForm): IDataObject => {
  const shown = protectOrder(order, form.licenseKeys);
  const [itsPosition, itself] = shown === order ? [position, code] : (protectedCodes(order, shown).get(code) ?? []);
  return itsPosition && itself ? shownCode(shown, itsPosition, itself, form) : {};
};

type Places = Map<LicenseCode, [OrderItem, LicenseCode]>;
const placesByOrder = new WeakMap<AnyOrder, Places>();

/** Maps each original code to its protected code and position. An order can have thousands. */
const protectedCodes = (order: AnyOrder, shown: AnyOrder): Places => {
  const known = placesByOrder.get(shown);
  if (known) return known;
  const places: Places = new Map();
  const positions = positionsOf(shown);
  for (const [place, position] of positionsOf(order).entries()) {
    const itsPosition = positions[place];
    if (!itsPosition) continue;
    const codes = codesOf(itsPosition);
    for (const [index, code] of codesOf(position).entries()) {
      const itself = codes[index];
      if (itself) places.set(code, [itsPosition, itself]);
    }
  }
  placesByOrder.set(shown, places);
  return places;
};

const shownCode = (order: AnyOrder, position: OrderItem, code: LicenseCode, form: OutputForm): IDataObject =>
  form.simplify
    ? simpleCode(order, position, code, form)
    : data({ order: withoutItems(order), item: without(position, 'license_codes'), license_code: code });

/** An order without its items, and so without license keys. */
export const withoutItems = (order: AnyOrder): AnyOrder => without(order, 'items') as AnyOrder;

/** The items of an order; empty for a list entry. */
export const positionsOf = (order: AnyOrder): OrderItem[] =>
  'items' in order && Array.isArray(order.items) ? order.items.filter(isObject) : [];

/** The license codes of an item; an unpaid order has `[]`, null or no such field (§3). */
export const codesOf = ({ license_codes }: OrderItem): LicenseCode[] =>
  Array.isArray(license_codes) ? license_codes.filter(isObject) : [];

/**
 * Two formats: a list entry has the date and the payment and delivery status, a single order has items and the billing
 * address.
 */
const simpleOrder = (order: AnyOrder, form: OutputForm): IDataObject =>
  data({
    id: order.id,
    orderNumber: order.bestellnummer,
    ...statusOf(order),
    grossTotal: order.gesamtpreis_brutto,
    currency: order.waehrung,
    ...listFields(order),
    ...('items' in order && {
      billingAddress: order.billing_address ?? null,
      positions: positionsOf(order).map((position) => ({
        ...ownFields(position),
        licenseCodes: codesOf(position).map((code) => codeFields(code, form)),
      })),
    }),
  });

/** The fields of a list entry. A single order has them only if the service sends more than documented (S-88). */
const listFields = (order: AnyOrder): object => {
  const shown = (name: string): boolean => !('items' in order) || name in order;
  const { created_at, zahlungsstatus, lieferstatus } = order;
  return {
    ...(shown('created_at') && { createdAt: toDate(created_at)?.toISOString() ?? null }),
    ...(shown('zahlungsstatus') && { paymentStatus: zahlungsstatus ?? null }),
    ...(shown('lieferstatus') && { deliveryStatus: lieferstatus ?? null }),
  };
};

const simplePosition = (order: AnyOrder, position: OrderItem, form: OutputForm): IDataObject => {
  const { id: positionId, ...fields } = ownFields(position);
  const licenseKeys = codesOf(position).map(({ license_key }) => license_key);
  const { bestellnummer: orderNumber, id: orderId } = order;
  const keys = form.licenseKeys === 'leftOut' ? {} : { licenseKeys };
  const { waehrung: currency } = order;
  return data({ orderNumber, ...madeAt(order), ...fields, currency, ...keys, ...statusOf(order), orderId, positionId });
};

const simpleCode = (order: AnyOrder, position: OrderItem, code: LicenseCode, form: OutputForm): IDataObject => {
  const { id: licenseCodeId, ...fields } = codeFields(code, form);
  const { bestellnummer: orderNumber, id: orderId } = order;
  const { product_name: productName } = position;
  return data({ orderNumber, ...madeAt(order), productName, ...fields, ...statusOf(order), orderId, licenseCodeId });
};

const statusOf = ({ status }: AnyOrder) => ({ status, statusInEnglish: statusReading(status) ?? null });

/** The date of an order of the list; a single order usually has none (S-88). */
const madeAt = (order: AnyOrder): object =>
  'created_at' in order ? { createdAt: toDate(order.created_at)?.toISOString() ?? null } : {};

const ownFields = (position: OrderItem) => ({
  id: position.id,
  productName: position.product_name,
  quantity: position.menge,
  grossUnitPrice: position.einzelpreis_brutto,
});

const codeFields = (code: LicenseCode, { licenseKeys }: OutputForm) => ({
  id: code.id,
  ...(licenseKeys !== 'leftOut' && { licenseKey: code.license_key }),
  codeType: code.code_typ,
  ...(licenseKeys !== 'leftOut' && {
    downloadUrl64: code.download_url_64 ?? null,
    downloadUrl32: code.download_url_32 ?? null,
  }),
  allowedActivations: code.aktivierungen_bestellung,
});

const without = (fields: object, name: string): object =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));

const data = (value: object): IDataObject => value as IDataObject;
