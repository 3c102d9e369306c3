import { type Status, statuses } from '../data/order.ts';
import { dataOf, type Exchange, type Got, isFields, ordersOf, pagingOf, textOf } from './exchange.ts';

/** A statement that needs several responses to be checked, and the number of cases in which it held or was broken. */
export interface StatementResult {
  /** The statement's number in docs/statements.md, if it is from the API docs. */
  id: string | undefined;
  text: string;
  held: number;
  broken: number;
}

/**
 * Checks statements against several responses. Omits those that the responses cannot show, and ignores malformed
 * requests.
 */
export const checkStatements = (got: Got): StatementResult[] => {
  const ordersIn = (names: readonly string[]) => names.flatMap((name) => ordersOf(got(name)) ?? []);
  const totalOf = (name: string): number => pagingOf(got(name), 'total');
  const isStable = totalOf('page1') === totalOf('again');
  const sum = statuses.map(totalOf).reduce((one, other) => one + other);
  const pages = pagingOf(got('page1'), 'pages');
  // Page 2 is skipped if it is past the last page, since it can repeat that page.
  const listed = ordersIn(pages > 1 ? ['page1', 'page2'] : ['page1']);
  const ids = listed.map(({ id }) => textOf(id));
  const dates = listed.map(({ created_at }) => textOf(created_at)).filter((date) => /^\d{4}-\d\d-\d\d[ T]/.test(date));
  const newestFirst = dates.toSorted().reverse();
  const first = ordersIn(['page1']);
  const ties = first
    .slice(1)
    .map((order, n) => [first[n], order] as const)
    .filter(([one, other]) => one?.created_at === other.created_at && /^[1-9]\d{3}-/.test(textOf(other.created_at)));

  const say = (id: string | undefined, text: string, cases: (boolean | undefined)[]): StatementResult[] => {
    const held = cases.filter((holds) => holds === true).length;
    const broken = cases.filter((holds) => holds === false).length;
    return held + broken === 0 ? [] : [{ id, text, held, broken }];
  };
  return [
    ...say('S-02', 'the same request gets the same response', [
      isStable ? isSameData(got('page1'), got('again')) : undefined,
    ]),
    ...say('S-08', 'an order of a different account looks like one that does not exist', [
      isSameError(got('other'), got('nobody')),
    ]),
    ...say(
      'S-34',
      'a filter lists only orders with its status',
      // A status that is not in the API docs does not break this statement; the report lists it as a difference.
      statuses.map((name) =>
        ordersOf(got(name))?.every(({ status }) => status === name || !statuses.includes(status as Status)),
      ),
    ),
    ...say(
      'S-52',
      'the number of pages follows the filter',
      statuses.map((name) => (isOnOnePage(got(name)) ? pagingOf(got(name), 'pages') <= 1 : undefined)),
    ),
    ...say(undefined, 'the totals of the four statuses add up to the total of all orders', [
      Number.isNaN(sum + totalOf('list')) ? undefined : sum === totalOf('list'),
    ]),
    ...say('S-44', 'the pages of the list contain each order once', [
      isStable && (pages === 1 || pages === 2) ? new Set(ids).size === totalOf('page1') : undefined,
    ]),
    ...say('S-45', 'orders come newest first', [dates.length < 2 ? undefined : dates.join() === newestFirst.join()]),
    ...say(undefined, 'orders come oldest first', [
      new Set(dates).size < 2 ? undefined : dates.join() === newestFirst.toReversed().join(),
    ]),
    ...say(
      undefined,
      'of orders with the same date, the one with the higher ID comes first',
      ties.map(([one, other]) => integerOf(one?.id) > integerOf(other.id)),
    ),
  ];
};

/** Whether two responses have the same data. Their envelopes can differ, for example in a request ID. */
const isSameData = (one: Exchange | undefined, other: Exchange | undefined): boolean =>
  one?.text === other?.text || (dataText(one) !== undefined && dataText(one) === dataText(other));

/** Returns `data` as text; `undefined` if there is no `data`, or if it is nested too deeply. */
const dataText = (exchange: Exchange | undefined): string | undefined => {
  try {
    return JSON.stringify(dataOf(exchange), (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  } catch {
    return undefined;
  }
};

/**
 * Whether two requests for an order return the same error, apart from the ID of the order.
 * @returns `undefined` if a request failed or was not sent, or if only undocumented parts of the responses differ
 */
const isSameError = (one: Exchange | undefined, other: Exchange | undefined): boolean | undefined => {
  if (!one || !other || [one, other].some(({ status }) => status === 0 || status >= 500)) return undefined;
  if (one.status !== other.status || errorText(one) !== errorText(other)) return false;
  return withoutId(one, one.text) === withoutId(other, other.text) ? true : undefined;
};

const errorText = (exchange: Exchange): string =>
  withoutId(exchange, isFields(exchange.body) ? textOf(exchange.body.error) : '');

const withoutId = ({ question }: Exchange, text = ''): string =>
  text.replaceAll(question.path.slice('/orders/'.length), '{id}');

/** Whether a list shows all of its orders. */
const isOnOnePage = (list: Exchange | undefined): boolean =>
  (ordersOf(list)?.length ?? Number.NaN) < pagingOf(list, 'per_page');

/** Reads an ID as an integer, exactly even above 2^53; 0 for anything else. */
const integerOf = (id: unknown): bigint => BigInt(/^-?\d{1,40}$/.test(textOf(id)) ? textOf(id) : 0);
