import { type Product, products } from './catalogue.ts';
import type { Line, Order, Status } from './order.ts';
import { plannedCodes } from './order.ts';
import { mix } from './random.ts';
import { showcase } from './showcase.ts';

/** What the seeded orders of one account are computed from. */
export interface OrderSeed {
  seed: number;
  /** Number of the account, 0 to 3: it keeps the order ids of accounts apart. */
  account: number;
  /** How many orders the account starts with. */
  count: number;
}

const firstId = 10_001;
/** Ids leave gaps: every running number owns eight of them, two for each account. */
const idStride = 8;

/** All seeded orders are older than this, whatever the day: the same seed gives the same bytes. */
const newest = Date.UTC(2026, 5, 30, 18, 0, 0);
/** 02:30 does not exist in Berlin on that day; a client that reads it as local time goes wrong. */
const daylightGap = Date.UTC(2026, 2, 29, 2, 30, 0);
const usualStepMs = 86_000_000;
const longestSpanMs = 5 * 365 * 86_400_000;

/** Order id of a running number, 0 being the oldest order of the account. */
export function idOf(source: OrderSeed, running: number): number {
  return firstId + running * idStride + source.account * 2 + (mix(source.seed, 1, running) & 1);
}

/** The running number that owns an id, or -1 where the account has no such id. */
export function runningOf(source: OrderSeed, id: number): number {
  const running = Math.floor((id - firstId) / idStride);
  return running >= 0 && idOf(source, running) === id ? running : -1;
}

/** `B-2026-000042`; the number is that of the id, so it is unique over all accounts. */
export function orderNumber(id: number, createdAt: number): string {
  return `B-${new Date(createdAt).getUTCFullYear()}-${String(id - firstId + 1).padStart(6, '0')}`;
}

/** Order date of the seeded order at `index`, 0 being the newest; never rises with the index, in whole seconds. */
export function createdAtOf(source: OrderSeed, index: number): number {
  const step = Math.max(1000, Math.floor(Math.min(usualStepMs, longestSpanMs / source.count) / 1000) * 1000);
  const slot = index % 7 === 6 ? index - 1 : index; // every seventh shares its second with the order before it
  const end = newest - slot * step;
  if (daylightGap < end && daylightGap >= end - step) return daylightGap;
  return end - 1000 - (mix(source.seed, 2 + source.account, slot) % (step / 1000)) * 1000;
}

/** Status of the seeded order at `index`, without computing the order. */
export function statusOf(source: OrderSeed, index: number): Status {
  const shown = showcase[index];
  if (shown) return shown.status;
  const dice = mix(source.seed, 10 + source.account, index) % 20;
  if (dice < 3) return 'ausstehend';
  if (dice < 6) return 'bezahlt';
  return dice < 8 ? 'storniert' : 'abgeschlossen';
}

/** The seeded order at `index`, 0 being the newest. Computed, never stored. */
export function seedOrder(source: OrderSeed, index: number): Order {
  const id = idOf(source, source.count - 1 - index);
  const createdAt = createdAtOf(source, index);
  const shown = showcase[index];
  const lines = shown
    ? shown.lines.map((line, n) => ({ ...line, id: id * 64 + n }))
    : Array.from({ length: 1 + (mix(source.seed, 20, id) % 3) }, (_, n) => randomLine(source, id, n));
  const order: Order = {
    id,
    number: orderNumber(id, createdAt),
    status: statusOf(source, index),
    currency: shown?.currency ?? 'EUR',
    createdAt,
    lines,
    delivered: 0,
    onInvoice: shown?.onInvoice ?? false,
  };
  order.delivered = shown?.delivered ?? plannedCodes(order);
  return order;
}

function randomLine(source: OrderSeed, id: number, n: number): Line {
  const product = products[mix(source.seed, 30 + n, id) % products.length] ?? products[0];
  return lineOf(product, id * 64 + n, 1 + (mix(source.seed, 40 + n, id) % 5));
}

/** A line of a product: volume licenses get one code with an activation per unit, services none, others a code per unit. */
export function lineOf(product: Product, id: number, quantity: number): Line {
  const volume = product.codeType === 'volumen';
  return {
    id,
    productName: product.name,
    quantity,
    cents: product.cents,
    codeType: product.codeType,
    downloads: product.downloads,
    codeCount: product.codeType === undefined ? 0 : volume ? 1 : quantity,
    activations: volume ? quantity : 1,
  };
}
