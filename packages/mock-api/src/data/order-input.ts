import { latestTime } from '../clock.ts';
import { refuseUnknownFields } from '../validate/fields.ts';
import { oneOf, shown, text, wholeNumber } from '../validate/values.ts';
import { centsOf, money } from './money.ts';
import { type Line, type Order, type Status, statuses, sumUp } from './order.ts';
import { type CodeType, codeTypes, products } from './products.ts';
import { lineOf } from './seed.ts';

/** What a caller says about an order to insert; all of it may be left out. */
export interface OrderInput {
  /** `abgeschlossen` where absent. */
  status?: Status;
  /** ISO 4217; `EUR` where absent. */
  currency?: string;
  /** ms since 1970; the mock's now where absent. */
  createdAt?: number;
  /** Codes delivered so far; all where absent. */
  delivered?: number;
  onInvoice?: boolean;
  /** One position where absent. At most 64. */
  items?: ItemInput[];
}

export interface ItemInput {
  productName?: string;
  quantity?: number;
  /** Gross price of one, like `12.34`. */
  unitPrice?: string;
  /** `null` for goods without a license code. */
  codeType?: CodeType | null;
  /** Codes once all are delivered; by the quantity where absent. */
  codeCount?: number;
  activations?: number;
  downloads?: Line['downloads'];
}

const orderFields = ['status', 'currency', 'createdAt', 'delivered', 'onInvoice', 'items'];
const itemFields = ['productName', 'quantity', 'unitPrice', 'codeType', 'codeCount', 'activations', 'downloads'];
const downloads = ['both', 'only64', 'only32', 'none', 'all'] as const;

/**
 * The order of an input.
 * @throws Error with a sentence that names what is wrong in the input
 */
export const orderFromInput = (input: OrderInput, id: number, now: number): Order => {
  refuseUnknownFields('an order', input, orderFields);
  const { status = 'abgeschlossen', currency = 'EUR', createdAt = now, onInvoice = false, items = [{}] } = input;
  if (wholeNumber('createdAt', createdAt) > latestTime)
    throw new Error(`createdAt is at most ${latestTime}, the end of the year 9999`);
  oneOf('status', status, statuses);
  if (!/^[A-Z]{3}$/.test(text('currency', currency))) {
    throw new Error(`currency is three capital letters, not "${currency}"`);
  }
  if (typeof onInvoice !== 'boolean') throw new Error('onInvoice is true or false');
  if (!Array.isArray(items) || items.length > 64) throw new Error('items is a list of at most 64 positions');
  const lines = Array.from(items, (item, n) => lineFromInput(item, id * 64 + n));
  const sums = sumUp(lines);
  if (sums.plannedCodes > 1024) throw new Error('an order holds at most 1024 license codes');
  const { delivered = sums.plannedCodes } = input;
  wholeNumber('delivered', delivered);
  const seconds = Math.floor(createdAt / 1000);
  return { id, status, currency, createdAt: seconds * 1000, ...sums, delivered, onInvoice, lines };
};

const lineFromInput = (item: ItemInput, id: number): Line => {
  refuseUnknownFields('an item', item, itemFields);
  const { codeType = 'retail', quantity = 1 } = item;
  if (codeType !== null && !codeTypes.includes(codeType)) {
    throw new Error(`codeType is one of ${codeTypes.join(', ')} or null, not ${shown(codeType)}`);
  }
  const product = { ...products[0], codeType: codeType ?? undefined };
  const line = lineOf(product, id, wholeNumber('quantity', quantity));
  if (item.productName !== undefined) line.productName = text('productName', item.productName);
  if (item.unitPrice !== undefined) line.cents = centsOf(text('unitPrice', item.unitPrice));
  if (item.codeCount !== undefined) line.codeCount = wholeNumber('codeCount', item.codeCount);
  if (item.activations !== undefined) line.activations = wholeNumber('activations', item.activations);
  if (item.downloads !== undefined) line.downloads = oneOf('downloads', item.downloads, downloads);
  return line;
};

/** The input that gives the order again; it holds no license key. */
export const inputOf = (order: Order): OrderInput => {
  const { status, currency, createdAt, delivered, onInvoice } = order;
  const items = order.lines.map(({ productName, quantity, cents, codeType, codeCount, activations, downloads }) => {
    const unitPrice = money(cents, 'string') as string;
    return { productName, quantity, unitPrice, codeType: codeType ?? null, codeCount, activations, downloads };
  });
  return { status, currency, createdAt, delivered, onInvoice, items };
};
