import { type Status, statuses } from '../orders/statuses.ts';
import { dataOf, type Exchange, type Got, objectsIn, ordersOf, pagingOf, textOf } from './exchange.ts';

/** A statement that only several responses can show. */
export interface StatementResult {
  /** The statement's number in docs/statements.md, if it is from the API docs. */
  id?: string;
  text: string;
  holds: boolean;
}

/** Checks statements against several responses. Omits those that the responses cannot show. */
export const checkStatements = (got: Got): StatementResult[] => {
  const ordersIn = (name: string) => ordersOf(got(name)) ?? [];
  const totalOf = (name: string): number => pagingOf(got(name), 'total');
  const pages = pagingOf(got('page1'), 'pages');
  // Page 2 is skipped if it is past the last page, since it can repeat that page.
  const listed = [...ordersIn('page1'), ...(pages > 1 ? ordersIn('page2') : [])];
  const dates = listed
    .map(({ created_at }) => textOf(created_at))
    .filter((date) => /^[1-9]\d{3}-\d\d-\d\d[ T]/.test(date));
  const newest = dates.toSorted().reverse();
  // In a list that is sorted by another date, neighbours with the same date say nothing.
  const ties = (dates.join() === newest.join() ? listed : []).slice(1).flatMap((order, n) => {
    const before = listed[n];
    const isTie = before?.created_at === order.created_at && /^[1-9]/.test(textOf(order.created_at));
    return isTie ? [integerOf(before?.id) > integerOf(order.id)] : [];
  });
  const isStable = totalOf('page1') === totalOf('again');
  const sum = statuses.map(totalOf).reduce((one, other) => one + other);
  const [other, nobody] = [got('other'), got('nobody')];
  const filtered = statuses.filter((name) => ordersIn(name).length > 0);
  const onOnePage = statuses.filter((name) => ordersIn(name).length < pagingOf(got(name), 'per_page'));
  const say = (id: string | undefined, text: string, holds: boolean | undefined): StatementResult[] =>
    holds === undefined ? [] : [{ ...(id && { id }), text, holds }];
  return [
    ...say(
      'S-02',
      'the same request gets the same response',
      isStable ? dataText(got('page1')) === dataText(got('again')) : undefined,
    ),
    ...say(
      'S-08',
      'an order of a different account looks like one that does not exist',
      other && nobody ? sameError(other, nobody) : undefined,
    ),
    ...say(
      'S-34',
      'a filter lists only orders with its status',
      filtered.length === 0
        ? undefined
        : filtered.every((name) =>
            // A status that is not in the API docs does not break this statement.
            ordersIn(name).every(({ status }) => status === name || !statuses.includes(status as Status)),
          ),
    ),
    ...say(
      'S-52',
      'the number of pages follows the filter',
      onOnePage.length === 0 ? undefined : onOnePage.every((name) => !(pagingOf(got(name), 'pages') > 1)),
    ),
    ...say(
      undefined,
      'the totals of the four statuses add up to the total of all orders',
      Number.isNaN(sum + totalOf('list')) ? undefined : sum === totalOf('list'),
    ),
    ...say(
      'S-44',
      'the pages of the list contain each order once',
      isStable && (pages === 1 || pages === 2)
        ? new Set(listed.map(({ id }) => textOf(id))).size === totalOf('page1')
        : undefined,
    ),
    ...say('S-45', 'orders come newest first', new Set(dates).size < 2 ? undefined : dates.join() === newest.join()),
    ...say(
      undefined,
      'orders come oldest first',
      new Set(dates).size < 2 ? undefined : dates.join() === newest.toReversed().join(),
    ),
    ...say(
      undefined,
      'of orders with the same date, the one with the higher ID comes first',
      ties.length === 0 ? undefined : ties.every(Boolean),
    ),
  ];
};

/** Returns `data` as text; `undefined` if there is none, or if it is nested too deeply. */
const dataText = (exchange: Exchange | undefined): string | undefined => {
  try {
    return JSON.stringify(dataOf(exchange), (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  } catch {
    return undefined;
  }
};

/** Whether two requests for an order return the same error, apart from the order's ID; `undefined` if one failed. */
const sameError = (one: Exchange, other: Exchange): boolean | undefined => {
  if ([one, other].some(({ status }) => status === 0 || status >= 500)) return undefined;
  const errorOf = ({ question, body }: Exchange): string =>
    textOf(objectsIn(body)[0]?.error).replaceAll(question.path.slice('/orders/'.length), '{id}');
  return one.status === other.status && errorOf(one) === errorOf(other);
};

/** Reads an ID as an integer, exactly even above 2^53; 0 for anything else. */
const integerOf = (id: unknown): bigint => BigInt(/^-?\d{1,40}$/.test(textOf(id)) ? textOf(id) : 0);
