import { objectsIn } from '@order-license/core/host';
import {
  type ChangeEvent,
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

/**
 * The field *Output* of an operation that can read full orders.
 * @param more additional choices for this operation
 */
export const outputField = (displayOptions: IDisplayOptions, ...more: INodePropertyOptions[]): INodeProperties => ({
  displayName: 'Output',
  name: 'output',
  type: 'options',
  default: 'orders',
  displayOptions,
  description: 'What each output item contains',
  options: [
    { name: 'One Item per License Code', value: 'licenseCodes', description: 'Includes the order and the product' },
    { name: 'One Item per Line Item', value: 'lineItems', description: 'Includes the order' },
    { name: 'One Item per Order', value: 'orders' },
    ...more,
  ],
});

export type AnyOrder = OrderSummary | Order;

/**
 * Adds an order's details to its list entry. If both have a field, the details take precedence; only for simplified
 * output, the list's value takes precedence over null.
 */
export const mergeOrder = (
  entry: Partial<ChangeEvent['order']>,
  details: Order | undefined,
  { simplify }: Pick<OutputForm, 'simplify'>,
): Order => {
  const whole = { ...entry, ...details } as Order & OrderSummary;
  if (!simplify) return whole;
  const listed = Object.entries(entry).filter(([name]) => whole[name as keyof OrderSummary] === null);
  return { ...whole, ...Object.fromEntries(listed) };
};

/** How to output an order. */
export interface OutputForm {
  /**
   * If false, each object stays as the API sent it, apart from masking. If true, it has fewer fields, with English
   * names and ISO 8601 times (UTC); all other values, such as amounts, stay as the API sent them.
   */
  simplify: boolean;
  licenseKeys: LicenseKeys;
  /** Whether the order is a list entry. If an API adds line items to a list entry, the simplified form omits them. */
  isEntry?: boolean;
}

export type ProductTest = (productName: unknown) => boolean;

/**
 * Converts an order to output items.
 * @param isWanted selects the products whose line items and license codes are kept
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
    // The name is tested unmasked, because masking can change it.
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

const shownCode = (order: AnyOrder, item: OrderItem, code: LicenseCode, form: OutputForm): IDataObject => {
  if (!form.simplify) {
    return data({ order: withoutItems(order), item: without(item, 'license_codes'), license_code: code });
  }
  return data({
    ...placeOf(order),
    productName: item.product_name,
    ...codeFields(code, form),
    ...statusOf(order),
    orderId: order.id,
  });
};

/** Returns the order without its line items, and so without license keys. */
export const withoutItems = (order: AnyOrder): object => without(order, 'items');

/** The line items of an order; empty for a list entry. */
export const lineItemsOf = (order: AnyOrder): OrderItem[] => objectsIn('items' in order ? order.items : undefined);

/** The license codes of a line item; an unpaid order can have `[]`, null or no such field (§4.3.3). */
export const codesOf = ({ license_codes }: OrderItem): LicenseCode[] => objectsIn(license_codes);

/**
 * Simplifies an order in either format: a list entry has the date, payment status and delivery status; a single order
 * has line items and the billing address.
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

export const progressOf = (order: AnyOrder): object => ({
  ...(hasField(order, 'zahlungsstatus') && { paymentStatus: order.zahlungsstatus ?? null }),
  ...(hasField(order, 'lieferstatus') && { deliveryStatus: order.lieferstatus ?? null }),
});

/**
 * Whether to output a field that the docs name only for list entries. For a single order, it is output only if the API
 * sent it (S-88).
 */
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
