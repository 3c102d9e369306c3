import { type CodeType, codeTypes, products } from './catalogue.ts';
import { refuseUnknownFields } from './known-fields.ts';
import { centsOf, money } from './money.ts';
import { type Line, type Order, type Status, statuses, sumUp } from './order.ts';
import { lineOf } from './seed.ts';

/** What a caller says about an order to insert; all of it may be left out. */
export interface OrderDraft {
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
  items?: ItemDraft[];
}

export interface ItemDraft {
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

/** ms since 1970; `YYYY` has no room for later years. */
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const orderFields = ['status', 'currency', 'createdAt', 'delivered', 'onInvoice', 'items'];
const itemFields = ['productName', 'quantity', 'unitPrice', 'codeType', 'codeCount', 'activations', 'downloads'];
const downloads = ['both', 'only64', 'only32', 'none', 'all'];

/**
 * The order of a draft.
 * @throws Error with a sentence that names what is wrong in the draft
 */
export function draftOrder(draft: OrderDraft, id: number, now: number): Order {
  refuseUnknownFields('an order', draft, orderFields);
  const createdAt = Math.floor(wholeNumber('createdAt', draft.createdAt ?? now) / 1000) * 1000;
  if (createdAt > latest) throw new Error(`createdAt is at most ${latest}, the end of the year 9999`);
  const status = draft.status ?? 'abgeschlossen';
  if (!statuses.includes(status)) throw new Error(`status is one of ${statuses.join(', ')}, not "${status}"`);
  const currency = draft.currency ?? 'EUR';
  if (!/^[A-Z]{3}$/.test(currency)) throw new Error(`currency is three capital letters, not "${currency}"`);
  const items = draft.items ?? [{}];
  if (!Array.isArray(items) || items.length > 64) throw new Error('items is a list of at most 64 positions');
  const lines = items.map((item, n) => draftLine(item, id * 64 + n));
  const sums = sumUp(lines);
  if (sums.plannedCodes > 1024) throw new Error('an order holds at most 1024 license codes');
  const delivered = wholeNumber('delivered', draft.delivered ?? sums.plannedCodes);
  return { id, status, currency, createdAt, ...sums, delivered, onInvoice: draft.onInvoice ?? false, lines };
}

function draftLine(item: ItemDraft, id: number): Line {
  refuseUnknownFields('an item', item, itemFields);
  const codeType = item.codeType === undefined ? 'retail' : (item.codeType ?? undefined);
  if (codeType && !codeTypes.includes(codeType)) {
    throw new Error(`codeType is one of ${codeTypes.join(', ')} or null, not "${codeType}"`);
  }
  const quantity = wholeNumber('quantity', item.quantity ?? 1);
  const line = lineOf({ ...products[0], codeType }, id, quantity);
  if (item.productName !== undefined) line.productName = String(item.productName);
  if (item.unitPrice !== undefined) line.cents = centsOf(item.unitPrice);
  if (item.codeCount !== undefined) line.codeCount = wholeNumber('codeCount', item.codeCount);
  if (item.activations !== undefined) line.activations = wholeNumber('activations', item.activations);
  if (item.downloads !== undefined) {
    if (!downloads.includes(item.downloads)) throw new Error(`downloads is one of ${downloads.join(', ')}`);
    line.downloads = item.downloads;
  }
  return line;
}

/** The draft that gives the order again; it holds no license key. */
export function draftOf(order: Order): OrderDraft {
  const { status, currency, createdAt, delivered, onInvoice } = order;
  const items = order.lines.map(({ productName, quantity, cents, codeType, codeCount, activations, downloads }) => {
    const unitPrice = money(cents, 'string') as string;
    return { productName, quantity, unitPrice, codeType: codeType ?? null, codeCount, activations, downloads };
  });
  return { status, currency, createdAt, delivered, onInvoice, items };
}

function wholeNumber(name: string, value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new Error(`${name} is a whole number from 0 up, not "${value}"`);
}
