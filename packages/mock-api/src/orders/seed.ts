import { type GivenOrder, givenBy, type Listed } from './make-order.ts';
import { firstId, type ItemInput } from './order-fields.ts';
import { mix } from './random.ts';
import { sampleOrders } from './samples.ts';
import { defaultStatus, type Status } from './statuses.ts';

/** The inputs that an account's seeded orders are computed from. */
export interface OrderSeed {
  seed: number;
  account: string;
  /** Account number, 0 to 3; keeps order IDs unique across accounts. */
  number: number;
  count: number;
  /** All seeded orders are older than this time, ms since 1970 in whole seconds. Default: 2026-06-30 18:00. */
  newestAt?: number | undefined;
}

export const maxSeed = 2 ** 31 - 1;
/** Maximum number of orders per account. */
export const maxSeededOrders = 100_000;

/** IDs have gaps: each sequence number reserves eight IDs, two for each account. */
const idStride = 8;

/** A fixed date, so that the same seed produces the same bytes on any day. */
const defaultNewestAt = Date.UTC(2026, 5, 30, 18, 0, 0);
/** The clocks in Berlin skip this time, which exposes clients that parse it as local time instead of UTC. */
const daylightGap = Date.UTC(2026, 2, 29, 2, 30, 0);
const defaultStepMs = 86_000_000;
const maxSpanMs = 5 * 365 * 86_400_000;

/** Fictional products. Their names contain umlauts, sharp s, CJK and emoji to expose charset errors. */
const products: readonly [ItemInput, ...ItemInput[]] = [
  { product_name: 'Büro Suite 2026 Professional', einzelpreis_brutto: '249.00' },
  { product_name: 'Straßenplaner Größe XL', einzelpreis_brutto: '89.50', downloads: 'only64' },
  {
    product_name: 'Serverzugriffslizenz (CAL), 5 Geräte',
    einzelpreis_brutto: '614.99',
    code_typ: 'volumen',
    downloads: 'none',
  },
  { product_name: '办公套件 2026 标准版', einzelpreis_brutto: '139.99', code_typ: 'account', downloads: 'only32' },
  { product_name: 'Sicherung & Schutz 🚀 Jahresabo', einzelpreis_brutto: '49.99', code_typ: 'abo' },
  { product_name: 'Betriebssystem 11 Pro', einzelpreis_brutto: '159.00', downloads: 'only64' },
  { product_name: '表計算ツール プロ', einzelpreis_brutto: '99.00', code_typ: 'volumen' },
  { product_name: 'Einrichtung per Fernwartung', einzelpreis_brutto: '79.00', code_typ: null },
  {
    product_name: 'Bildbearbeitung "Élan" <64-bit>',
    einzelpreis_brutto: '34.90',
    code_typ: 'account',
    downloads: 'only32',
  },
  { product_name: 'Virenschutz Übung & Prüfung', einzelpreis_brutto: '0.10', code_typ: 'abo', downloads: 'none' },
];

/** Returns the order ID of a sequence number; 0 is the oldest order of the account. */
export const idOf = ({ seed, number }: OrderSeed, running: number): number =>
  firstId + running * idStride + number * 2 + (mix(seed, 1, running) & 1);

/** Returns the seeded orders of an account, newest first. */
export const seededOrders = (source: OrderSeed): Listed[] =>
  Array.from({ length: source.count }, (_, index) => ({
    account: source.account,
    id: idOf(source, source.count - 1 - index),
    status: statusOf(source, index),
    createdAt: createdAtOf(source, index),
    index,
  }));

/** Returns what the seeded order at `index` (0 is the newest) is made of. */
export const seededGiven = (seed: number, { id, index = 0 }: Pick<Listed, 'id' | 'index'>): GivenOrder => {
  const sample = sampleOrders[index];
  if (!sample) return { list: {}, detail: { items: itemsOf(seed, id) } };
  const { about: _, ...fields } = sample;
  return givenBy(fields);
};

const itemsOf = (seed: number, id: number): ItemInput[] =>
  Array.from({ length: 1 + (mix(seed, 20, id) % 3) }, (_, n) => ({
    ...products[mix(seed, 30 + n, id) % products.length],
    menge: 1 + (mix(seed, 40 + n, id) % 5),
  }));

/** Returns the date of the order at `index`, ms since 1970. A higher `index` never has a later date. */
const createdAtOf = ({ seed, number, count, newestAt = defaultNewestAt }: OrderSeed, index: number): number => {
  const step = Math.max(1000, Math.floor(Math.min(defaultStepMs, maxSpanMs / count) / 1000) * 1000);
  const slot = index % 7 === 6 ? index - 1 : index; // every seventh order has the same date as the previous one
  const end = newestAt - slot * step;
  if (daylightGap < end && daylightGap >= end - step) return daylightGap;
  return end - 1000 - (mix(seed, 2 + number, slot) % (step / 1000)) * 1000;
};

/** About 3 of 20 orders are pending, 3 paid and 2 cancelled; the others are completed. */
const statusOf = ({ seed, number }: OrderSeed, index: number): Status => {
  const sample = sampleOrders[index];
  if (sample) return (sample.status ?? defaultStatus) as Status;
  const dice = mix(seed, 10 + number, index) % 20;
  if (dice < 3) return 'ausstehend';
  if (dice < 6) return 'bezahlt';
  return dice < 8 ? 'storniert' : 'abgeschlossen';
};
