import { statuses } from '../data/order.ts';
import { type Got, ordersOf, pagingOf, textOf } from './exchange.ts';

/** A statement that takes several responses to check, and how often it held. */
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
  const isSame = (one: string, other: string): boolean =>
    got(one)?.status === got(other)?.status && got(one)?.text === got(other)?.text;

  const isStable = totalOf('page1') === totalOf('again');
  const sum = statuses.map(totalOf).reduce((one, other) => one + other);
  const pages = pagingOf(got('page1'), 'pages');
  // Page 2 is skipped if it is past the last page, since it can repeat that page.
  const listed = ordersIn(pages > 1 ? ['page1', 'page2'] : ['page1']);
  const ids = listed.map(({ id }) => textOf(id));
  const dates = listed.map(({ created_at }) => textOf(created_at)).filter((date) => /^\d{4}-\d\d-\d\d[ T]/.test(date));
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
    ...say('S-02', 'the same request gets the same response', [isStable ? isSame('page1', 'again') : undefined]),
    ...say('S-08', 'an order of a different account looks like one that does not exist', [
      got('other') && isSame('other', 'nobody'),
    ]),
    ...say(
      'S-34',
      'a filter lists only orders with its status',
      statuses.map((name) => ordersOf(got(name))?.every(({ status = name }) => status === name)),
    ),
    ...say('S-52', 'totals follow the filter: those of the four statuses add up to the total of all orders', [
      Number.isNaN(sum + totalOf('list')) ? undefined : sum === totalOf('list'),
    ]),
    ...say('S-44', 'the pages of the list contain each order once', [
      pages === 1 || pages === 2 ? new Set(ids).size === totalOf('page1') : undefined,
    ]),
    ...say('S-45', 'orders come newest first', [
      dates.length < 2 ? undefined : dates.join() === dates.toSorted().reverse().join(),
    ]),
    ...say(
      undefined,
      'of orders with the same date, the one with the higher ID comes first',
      ties.map(([one, other]) => integerOf(one?.id) > integerOf(other.id)),
    ),
  ];
};

/** Reads an ID as an integer, exactly even above 2^53; 0 for anything else. */
const integerOf = (id: unknown): bigint => BigInt(/^-?\d{1,40}$/.test(textOf(id)) ? textOf(id) : 0);
