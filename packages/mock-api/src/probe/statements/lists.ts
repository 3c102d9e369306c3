import { statuses } from '../../data/order.ts';
import type { Answer } from '../ask/asker.ts';
import {
  answersTo,
  answerTo,
  dataOf,
  type Evidence,
  type Fields,
  headOfList,
  isFields,
  listAnswers,
  ordersOf,
  pagingOf,
} from '../evidence.ts';
import { shapeOf } from '../shape.ts';
import type { Note } from './note.ts';
import { checkMoney, checkTypes, sayForm } from './orders.ts';

const entryTypes = {
  id: 'integer',
  bestellnummer: 'string',
  status: 'string',
  zahlungsstatus: 'string',
  gesamtpreis_brutto: 'string',
  waehrung: 'string',
  created_at: 'string',
  lieferstatus: 'string',
} as const;

/** Checks lists, their entries and their pages (§2.2, §2.3, §4.2). */
export const checkLists = (evidence: Evidence, note: Note): void => {
  for (const answer of listAnswers(evidence)) {
    const data = dataOf(answer);
    if (!data) continue;
    const isList = Array.isArray(data.orders) && isFields(data.pagination);
    note('S-50', isList, `orders is ${shapeOf(data.orders)}, pagination is ${shapeOf(data.pagination)}`);
    for (const entry of ordersOf(answer) ?? []) checkEntry(entry, note);
    checkPaging(answer, note);
    checkFilter(answer, note);
  }
  checkDefaults(evidence, note);
  checkOrder(evidence, note);
  checkTogether(evidence, note);
};

const checkEntry = (entry: Fields, note: Note): void => {
  checkTypes('S-17', 'orders[]', entry, entryTypes, note);
  const { status, created_at, waehrung } = entry;
  if (typeof status === 'string')
    note('S-19', (statuses as readonly string[]).includes(status), 'an undocumented status');
  checkMoney(entry.gesamtpreis_brutto, 'orders[].gesamtpreis_brutto', note);
  if (waehrung !== undefined) note('S-21', /^[A-Z]{3}$/.test(String(waehrung)), `waehrung is ${sayForm(waehrung)}`);
  if (created_at !== undefined) note('S-22', isTime(created_at), `created_at is ${sayForm(created_at)}`);
};

const isTime = (value: unknown): boolean => {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)) return false;
  const time = Date.parse(`${value.replace(' ', 'T')}Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value.replace(' ', 'T'));
};

const askedFor = ({ question }: Answer, name: string): number | undefined => {
  const value = new URLSearchParams(question.path.split('?')[1]).get(name);
  return value === null ? undefined : Number(value);
};

const checkPaging = (answer: Answer, note: Note): void => {
  const [page, perPage] = [pagingOf(answer, 'page'), pagingOf(answer, 'per_page')];
  const [total, pages] = [pagingOf(answer, 'total'), pagingOf(answer, 'pages')];
  const asIntegers = [page, perPage, total, pages].every((value) => value !== undefined);
  const [askedPage, askedSize] = [askedFor(answer, 'page'), askedFor(answer, 'per_page')];
  const isObeyed = (askedPage ?? page) === page && (askedSize ?? perPage) === perPage;
  note('S-25', asIntegers && isObeyed, asIntegers ? 'page or per_page differs from the request' : 'not four integers');
  const count = ordersOf(answer)?.length;
  if (page === undefined || perPage === undefined || total === undefined || pages === undefined) return;
  if (count === undefined || perPage === 0) return;
  // An empty list may have 0 pages or 1 (U-06).
  note('S-52', pages === Math.ceil(total / perPage) || (total === 0 && pages === 1), 'pages is a different number');
  if (page > Math.max(1, pages)) return;
  const wanted = page < pages ? perPage : Math.max(0, total - (pages - 1) * perPage);
  note(
    'S-51',
    count === wanted || total === 0,
    `${count < wanted ? 'fewer' : 'more'} orders than total and per_page imply`,
  );
};

const checkFilter = (answer: Answer, note: Note): void => {
  const { orderStatus } = answer.question;
  if (orderStatus === undefined) return;
  const others = (ordersOf(answer) ?? []).filter(({ status }) => status !== undefined && status !== orderStatus);
  note('S-33', others.length === 0, `status=${orderStatus} lists orders of another status`);
};

const checkDefaults = (evidence: Evidence, note: Note): void => {
  const [list, one] = [answerTo(evidence, 'list'), answerTo(evidence, 'listOne')];
  const [page, size] = [pagingOf(list, 'page'), pagingOf(list, 'per_page')];
  if (page !== undefined) note('S-46', page === 1, 'page is a different number');
  if (size !== undefined) note('S-47', size === 20, 'per_page is a different number');
  const [large] = answersTo(evidence, 'listPages');
  for (const [answer, wanted] of [
    [one, 1],
    [large, 50],
  ] as const) {
    const used = pagingOf(answer, 'per_page');
    const count = ordersOf(answer)?.length ?? 0;
    if (used !== undefined)
      note('S-48', used === wanted && count <= wanted, `per_page=${wanted} returns another page size`);
  }
  const all = pagingOf(list, 'total');
  const filters = answersTo(evidence, 'filter').map((answer) => pagingOf(answer, 'total'));
  if (all === undefined || filters.length < 4 || filters.includes(undefined)) return;
  const sum = filters.reduce<number>((part, total) => part + (total ?? 0), 0);
  note('S-34', sum === all, `they add up to ${sum < all ? 'less' : 'more'}`);
};

const checkOrder = (evidence: Evidence, note: Note): void => {
  const dates = headOfList(evidence).map(({ created_at }) => created_at);
  for (const [n, date] of dates.entries()) {
    const next = dates[n + 1];
    if (isTime(date) && isTime(next)) note('S-45', String(date) >= String(next), 'an older order comes first');
  }
};

/** Compares dates only, since orders with equal dates may come in any order (U-09). */
const checkTogether = (evidence: Evidence, note: Note): void => {
  const second = answerTo(evidence, 'listSecond');
  const [large] = answersTo(evidence, 'listPages');
  comparePiece(second, large, 20, note);
  const piece = answerTo(evidence, 'filterSecond');
  const whole = answersTo(evidence, 'filter').find(
    ({ question }) => question.orderStatus === piece?.question.orderStatus,
  );
  comparePiece(piece, whole, 5, note);
};

const comparePiece = (piece: Answer | undefined, whole: Answer | undefined, size: number, note: Note): void => {
  const [some, all] = [ordersOf(piece), ordersOf(whole)];
  if (!some || !all || pagingOf(piece, 'total') !== pagingOf(whole, 'total')) return;
  if (pagingOf(piece, 'per_page') !== size || all.length <= size) return;
  const wanted = all.slice(size, 2 * size).map(({ created_at }) => String(created_at));
  const got = some.slice(0, wanted.length).map(({ created_at }) => String(created_at));
  note('S-54', got.join() === wanted.join(), 'page 2 differs from that part of the larger page');
};
