import { dayText } from '../utc-time.ts';
import { edgeCaseOrders } from './edge-case-orders.ts';
import { type Line, type Order, type OrderSummary, type Status, sumUp } from './order.ts';
import { type Product, products } from './products.ts';
import { mix } from './random.ts';

/** Inputs for computing the seeded orders of an account. */
export interface OrderSeed {
  seed: number;
  /** Account number, 0 to 3; keeps order IDs unique across accounts. */
  account: number;
  /** Initial number of orders. */
  count: number;
  /** All seeded orders are older than this time, ms since 1970 in whole seconds. Default: 2026-06-30 18:00. */
  newestAt?: number | undefined;
}

export const maxSeed = 2 ** 31 - 1;
/** Maximum per account. */
export const maxSeededOrders = 100_000;

const firstId = 10_001;
/** IDs have gaps: each sequence number reserves eight, two per account. */
const idStride = 8;

/** Fixed, so that the same seed produces the same bytes on any day. */
const defaultNewestAt = Date.UTC(2026, 5, 30, 18, 0, 0);
/** This local time doesn't exist in Berlin, which exposes clients that parse it as local time. */
const daylightGap = Date.UTC(2026, 2, 29, 2, 30, 0);
const defaultStepMs = 86_000_000;
const maxSpanMs = 5 * 365 * 86_400_000;

/** Returns the order ID of a sequence number; 0 is the oldest order of the account. */
export const idOf = (source: OrderSeed, running: number): number =>
  firstId + running * idStride + source.account * 2 + (mix(source.seed, 1, running) & 1);

/** Returns the given number, or one derived from the ID, such as `B-2026-000042`, unique across accounts. */
export const orderNumber = ({ number, id, createdAt }: OrderSummary): string => {
  // Inserted orders can have lower IDs than seeded ones.
  const [letter, run] = id < firstId ? ['A', id] : ['B', id - firstId + 1];
  return number ?? `${letter}-${dayText(createdAt).slice(0, 4)}-${String(run).padStart(6, '0')}`;
};

/** Returns the date of the seeded order at `index` (0 is the newest), in whole seconds. Never increases with `index`. */
export const createdAtOf = (source: OrderSeed, index: number): number => {
  const step = Math.max(1000, Math.floor(Math.min(defaultStepMs, maxSpanMs / source.count) / 1000) * 1000);
  const slot = index % 7 === 6 ? index - 1 : index; // every seventh order has the same date as the previous one
  const end = (source.newestAt ?? defaultNewestAt) - slot * step;
  if (daylightGap < end && daylightGap >= end - step) return daylightGap;
  return end - 1000 - (mix(source.seed, 2 + source.account, slot) % (step / 1000)) * 1000;
};

/** Returns the status of the seeded order at `index`, without computing the whole order. */
export const statusOf = (source: OrderSeed, index: number): Status => {
  const edgeCase = edgeCaseOrders[index];
  if (edgeCase) return edgeCase.status;
  const dice = mix(source.seed, 10 + source.account, index) % 20;
  if (dice < 3) return 'ausstehend';
  if (dice < 6) return 'bezahlt';
  return dice < 8 ? 'storniert' : 'abgeschlossen';
};

/** Computes the seeded order at `index` (0 is the newest). */
export const seedOrder = (source: OrderSeed, index: number): Order => {
  const id = idOf(source, source.count - 1 - index);
  const edgeCase = edgeCaseOrders[index];
  const lines = edgeCase ? edgeCase.lines.map((line, n) => ({ ...line, id: id * 64 + n })) : drawnLines(source, id);
  const sums = sumUp(lines);
  return {
    id,
    status: statusOf(source, index),
    currency: edgeCase?.currency ?? 'EUR',
    createdAt: createdAtOf(source, index),
    ...sums,
    delivered: edgeCase?.delivered ?? sums.plannedCodes,
    onInvoice: edgeCase?.onInvoice ?? false,
    lines,
  };
};

const drawnLines = (source: OrderSeed, id: number): Line[] =>
  Array.from({ length: lineCountOf(source, id) }, (_, n) =>
    lineOf(productOf(source, id, n), id * 64 + n, quantityOf(source, id, n)),
  );

const lineCountOf = ({ seed }: OrderSeed, id: number): number => 1 + (mix(seed, 20, id) % 3);

const productOf = ({ seed }: OrderSeed, id: number, n: number): Product =>
  products[mix(seed, 30 + n, id) % products.length] as Product;

const quantityOf = ({ seed }: OrderSeed, id: number, n: number): number => 1 + (mix(seed, 40 + n, id) % 5);

/** Volume licenses have one code with one activation per unit, services have none, others have one code per unit. */
const codeCountOf = ({ codeType }: Product, quantity: number): number => {
  if (codeType === undefined) return 0;
  return codeType === 'volumen' ? 1 : quantity;
};

export const lineOf = (product: Product, id: number, quantity: number): Line => ({
  id,
  productName: product.name,
  quantity,
  cents: product.cents,
  codeType: product.codeType,
  downloads: product.downloads,
  codeCount: codeCountOf(product, quantity),
  activations: product.codeType === 'volumen' ? quantity : 1,
});
