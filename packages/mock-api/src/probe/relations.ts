import { statuses } from '../data/order.ts';
import { type Got, ordersOf, pagingOf, type Reply } from './reply.ts';

type Case = boolean | undefined;

interface Check {
  /** The number in docs/statements.md, if the API docs state it. */
  id?: string;
  text: string;
  /** Whether it holds, for each case that was seen. */
  check: (got: Got) => Case[];
}

const checks: Check[] = [
  { id: 'S-02', text: 'the same request gets the same response', check: (got) => [isRepeated(got)] },
  {
    id: 'S-08',
    text: 'an order of another account looks like one that does not exist',
    check: (got) => [isForeign(got)],
  },
  {
    id: 'S-34',
    text: 'a filter lists only orders of its status',
    check: (got) => statuses.map((name) => isFiltered(got(name), name)),
  },
  { id: 'S-52', text: 'totals count for the filter: those of the four statuses add up', check: (got) => [isSum(got)] },
  { id: 'S-44', text: 'the pages of the list have each order once', check: (got) => [isWhole(got)] },
  { id: 'S-45', text: 'orders come newest first', check: (got) => [isSorted(got)] },
  { text: 'of orders with the same date, that with the higher ID comes first', check: (got) => tiesOf(got) },
];

/**
 * Checks what several responses show together, but none alone. Malformed requests show nothing.
 * @returns for each check whether it holds, for each case that was seen. Leaves out what no response shows
 */
export const relationsOf = (got: Got) =>
  checks
    .map(({ id, text, check }) => ({ id, text, cases: check(got).filter((holds) => holds !== undefined) }))
    .filter(({ cases }) => cases.length > 0);

const textOf = (reply: Reply | undefined): string =>
  JSON.stringify([reply?.status, reply?.body], (_, value) => (typeof value === 'bigint' ? `${value}n` : value));

const isRepeated = (got: Got): Case => {
  const [before, again] = [got('page1'), got('again')];
  const isComparable = ordersOf(before) && ordersOf(again) && pagingOf(before, 'total') === pagingOf(again, 'total');
  return isComparable && textOf(before) === textOf(again);
};

const isForeign = (got: Got): Case => got('other') && textOf(got('other')) === textOf(got('nobody'));

const isFiltered = (reply: Reply | undefined, wanted: string): Case =>
  ordersOf(reply)?.every(({ status = wanted }) => status === wanted);

const isSum = (got: Got): Case => {
  const [whole, ...parts] = ['list', ...statuses].map((name) => pagingOf(got(name), 'total') ?? Number.NaN);
  const sum = parts.reduce((one, other) => one + other, 0);
  return Number.isNaN(sum) || whole === undefined || Number.isNaN(whole) ? undefined : sum === whole;
};

const isWhole = (got: Got): Case => {
  const pages = pagingOf(got('page1'), 'pages');
  if (pages !== 1 && pages !== 2) return undefined;
  const listed = ['page1', 'page2'].slice(0, pages).flatMap((name) => ordersOf(got(name)) ?? []);
  return new Set(listed.map(({ id }) => String(id))).size === pagingOf(got('page1'), 'total');
};

const isSorted = (got: Got): Case => {
  const listed = ['page1', 'page2'].flatMap((name) => ordersOf(got(name)) ?? []);
  const dates = listed.map(({ created_at }) => String(created_at)).filter((date) => /^\d{4}-\d\d-\d\d[ T]/.test(date));
  return dates.length < 2 ? undefined : dates.join() === dates.toSorted().reverse().join();
};

const tiesOf = (got: Got): Case[] => {
  const listed = ordersOf(got('page1')) ?? [];
  return listed.slice(1).map(({ id, created_at }, n) => {
    const before = listed[n];
    const isTie = /^[1-9]\d{3}-/.test(String(created_at)) && before?.created_at === created_at;
    return isTie ? integerOf(before?.id) > integerOf(id) : undefined;
  });
};

/** Reads IDs above 2^53 exactly; 0 for anything but an integer. */
const integerOf = (id: unknown): bigint => BigInt(/^-?\d{1,40}$/.test(String(id)) ? String(id) : 0);
