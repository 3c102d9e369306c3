import { asciiBytes, isAscii, putBytes, putNumber, putPair, putText } from './ascii.ts';
import { type Cents, money } from './money.ts';
import { type OrderSummary, statuses } from './order.ts';
import { runOf } from './seed.ts';
import type { Dialect } from './settings.ts';
import { currencyOf, delivery, laterStatus, payment, pick, statusOf } from './summary.ts';
import { dayText, secondOfDay } from './utc-text.ts';

/** Writes a page of orders as a JSON array. */
type Writer = (orders: readonly OrderSummary[]) => string;

/** `undefined` for the dialects that have none. */
const writers = new WeakMap<Dialect, Writer | undefined>();

/**
 * What JSON.stringify makes of the `presentSummary` of each order, byte for byte; `undefined` in a dialect that writes
 * ids, amounts or dates in another way than the text does, or leaves out fields, and where a sum has more than 30 digits.
 * Lists are what a mock is asked for most, and bytes written in place spare an answer a quarter of its CPU.
 */
export function plainList(orders: readonly OrderSummary[], dialect: Dialect): string | undefined {
  if (!writers.has(dialect)) writers.set(dialect, isPlain(dialect) ? createWriter(dialect) : undefined);
  return orders.every(({ totalCents }) => totalCents < 1e30) ? writers.get(dialect)?.(orders) : undefined;
}

function isPlain(dialect: Dialect): boolean {
  const { ids, money, dates, sortDate, missing, nulls, zahlungsstatus, lieferstatus } = dialect;
  const asStated = ids === 'safe' && money === 'string' && dates === 'ok' && sortDate === 'created';
  const whole = missing.length === 0 && nulls.length === 0;
  return asStated && whole && [...zahlungsstatus, ...lieferstatus].every(isAscii);
}

/** More bytes than an order takes beside the words that the dialect chooses. */
const roomOfOne = 256;
const space = 0x20;
const point = 0x2e;
const colon = 0x3a;

function createWriter(dialect: Dialect): Writer {
  const paid = jsonOfEach(dialect.zahlungsstatus);
  const delivered = jsonOfEach(dialect.lieferstatus);
  const beforeId = asciiBytes(',{"id":');
  const beforeNumber = asciiBytes(',"bestellnummer":"B-');
  const states = Object.fromEntries(
    [...statuses, laterStatus].map((status) => {
      const start = `","status":"${status}","zahlungsstatus":`;
      return [status, paid.map((word) => asciiBytes(`${start}${word},"gesamtpreis_brutto":"`))];
    }),
  ) as Record<string, Uint8Array[]>;
  const currencies: Record<string, Uint8Array> = {};
  const aroundCurrency = (code: string): Uint8Array => {
    currencies[code] ??= asciiBytes(`","waehrung":"${code}","created_at":"`);
    return currencies[code];
  };
  const ends = delivered.map((word) => asciiBytes(`","lieferstatus":${word}}`));
  const room = roomOfOne + longest(paid) + longest(delivered);
  let page = Buffer.alloc(0);

  const put = (start: number, order: OrderSummary): number => {
    const day = dayText(order.createdAt);
    const second = secondOfDay(order.createdAt);
    let at = putBytes(page, start, beforeId);
    at = putNumber(page, at, order.id);
    at = putBytes(page, at, beforeNumber);
    at = putText(page, at, day, 'YYYY-'.length);
    at = putNumber(page, at, runOf(order.id), 6);
    at = putBytes(page, at, states[statusOf(order, dialect)]?.[payment(order) % paid.length] as Uint8Array);
    at = putAmount(page, at, order.totalCents);
    at = putBytes(page, at, aroundCurrency(currencyOf(order, dialect)));
    at = putText(page, at, day);
    at = putPair(page, at, space, Math.floor(second / 3600));
    at = putPair(page, at, colon, Math.floor(second / 60) % 60);
    at = putPair(page, at, colon, second % 60);
    return putBytes(page, at, ends[delivery(order) % ends.length] as Uint8Array);
  };
  return (orders) => {
    if (page.length < orders.length * room) page = Buffer.alloc(orders.length * room);
    let end = 0;
    for (const order of orders) end = put(end, order);
    return `[${page.toString('latin1', 1, end)}]`; // without the comma before the first order
  };
}

function jsonOfEach(words: readonly string[]): string[] {
  return words.map((_, n) => JSON.stringify(pick(words, n)));
}

function longest(texts: readonly string[]): number {
  return Math.max(...texts.map(({ length }) => length));
}

function putAmount(target: Uint8Array, start: number, cents: Cents): number {
  if (typeof cents === 'bigint') return putText(target, start, money(cents, 'string') as string);
  const whole = Math.floor(cents / 100);
  return putPair(target, putNumber(target, start, whole), point, cents - whole * 100);
}
