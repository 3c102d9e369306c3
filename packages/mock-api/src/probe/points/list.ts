import {
  answersTo,
  answerTo,
  type Evidence,
  type Fields,
  headOfList,
  listAnswers,
  ordersOf,
  pagingOf,
} from '../evidence.ts';
import { type Finding, plural, seen, unseen } from '../finding.ts';
import { magnitude } from '../shape.ts';

/** U-05 */
export const pageBeyondLast = (evidence: Evidence): Finding => {
  const answer = answerTo(evidence, 'beyond');
  if (!answer) return unseen('no page after the last was read');
  const { status } = answer;
  if (status === 404 || status === 400) return seen(`answered ${status}`, { pageBeyondLast: String(status) });
  const orders = ordersOf(answer);
  if (!orders) return seen(answered(status));
  const page = pagingOf(answer, 'page');
  const asked = Number(/page=(\d+)/.exec(answer.question.path)?.[1]);
  const isLast = orders.length > 0 || (page !== undefined && page !== asked);
  return isLast
    ? seen('the last page again', { pageBeyondLast: 'clamp' })
    : seen('200 with no orders', { pageBeyondLast: 'empty' });
};

/** U-06 */
export const emptyPages = (evidence: Evidence): Finding => {
  for (const answer of [...listAnswers(evidence), ...answersTo(evidence, 'statusUnknown')]) {
    const pages = pagingOf(answer, 'pages');
    if (ordersOf(answer)?.length !== 0 || pagingOf(answer, 'total') !== 0 || pages === undefined) continue;
    return pages < 2 ? seen(`pages is ${pages}`, { emptyPages: String(pages) }) : seen('pages is more than 1');
  }
  return unseen('no list was empty');
};

/** U-09 */
export const tieBreak = (evidence: Evidence): Finding => {
  const again = answersTo(evidence, 'listAgain').flatMap((answer) => ordersOf(answer) ?? []);
  if (isShuffled(evidence)) return seen('the order changes between requests', { tieBreak: 'shuffle' });
  const orders = headOfList(evidence);
  let falling = 0;
  let rising = 0;
  for (const [n, order] of orders.entries()) {
    const next = orders[n + 1];
    if (!next || typeof order.created_at !== 'string' || order.created_at !== next.created_at) continue;
    const [a, b] = [sizeOf(order), sizeOf(next)];
    if (a !== undefined && b !== undefined) a > b ? falling++ : rising++;
  }
  if (falling + rising === 0) return unseen('no two adjacent orders have the same created_at');
  const readings = again.length > 0 ? ', the same in each request' : '';
  if (rising === 0) return seen(`higher id first${readings}`, { tieBreak: 'idDesc' });
  if (falling === 0) return seen(`lower id first${readings}`, { tieBreak: 'idAsc' });
  return seen(`sorted by neither rising nor falling id${readings}`);
};

/** Whether the newest orders changed places while the total stayed the same. */
const isShuffled = (evidence: Evidence): boolean => {
  const [first] = answersTo(evidence, 'listPages');
  const ids = ordersOf(first)?.map(({ id }) => id) ?? [];
  return answersTo(evidence, 'list', 'listAgain').some((answer) => {
    const others = ordersOf(answer)?.map(({ id }) => id) ?? [];
    if (pagingOf(answer, 'total') !== pagingOf(first, 'total')) return false;
    return others.some((id, n) => n < ids.length && id !== ids[n]);
  });
};

/** Returns the absolute value of an ID: negative IDs grow downwards. */
const sizeOf = ({ id }: Fields): bigint | undefined => {
  if (typeof id !== 'bigint' && !/^-?\d{1,30}$/.test(String(id))) return undefined;
  const size = BigInt(id as string | number | bigint);
  return size < 0n ? -size : size;
};

/** U-10 */
export const listChanges = (evidence: Evidence): Finding => {
  const readings = answersTo(evidence, 'list', 'listOne', 'listPages', 'listAgain', 'listSecond');
  const totals = readings.map((answer) => pagingOf(answer, 'total')).filter((total) => total !== undefined);
  if (totals.length < 2) return unseen('total was not read twice');
  const changed = new Set(totals).size > 1;
  return seen(`total ${changed ? 'changed' : 'stayed the same'} over ${plural(totals.length, 'request')}`);
};

/** U-11 */
export const totalIgnoresFilter = (evidence: Evidence): Finding => {
  const all = pagingOf(answerTo(evidence, 'list'), 'total');
  const filtered = answersTo(evidence, 'filter').map((answer) => pagingOf(answer, 'total'));
  const known = filtered.filter((total) => total !== undefined);
  if (!all || known.length < 4) return unseen('needs orders, and a total in the list of each status');
  if (known.every((total) => total === all)) return seen('total counts all orders', { totalIgnoresFilter: 'on' });
  const sum = known.reduce((one, other) => one + other, 0);
  if (sum === all)
    return seen('total counts the filtered orders; the four totals add up', { totalIgnoresFilter: 'off' });
  return seen(`total counts the filtered orders; the four totals add up to ${sum < all ? 'less' : 'more'} than all`, {
    totalIgnoresFilter: 'off',
  });
};

/** U-60 */
export const accountSize = (evidence: Evidence): Finding => {
  const total = pagingOf(answerTo(evidence, 'list'), 'total');
  return total === undefined ? unseen('total could not be read') : seen(magnitude(total));
};

/** U-63 */
export const sortDate = (evidence: Evidence): Finding => {
  const times = headOfList(evidence).map(({ created_at }) => timeOf(created_at));
  const pairs = times.flatMap((time, n) => {
    const next = times[n + 1];
    return time !== undefined && next !== undefined ? [next > time] : [];
  });
  if (pairs.length === 0) return unseen('needs two orders with a readable created_at');
  const rising = pairs.filter(Boolean).length;
  if (rising === 0) return seen('created_at never rises from one order to the next', { sortDate: 'created' });
  return seen(`created_at rises ${plural(rising, 'time')} from one order to the next`, { sortDate: 'other' });
};

const timeOf = (value: unknown): number | undefined => {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/.test(value)) return undefined;
  const time = Date.parse(/[Z+]/.test(value) ? value : `${value.replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? undefined : time;
};

export const answered = (status: number): string => (status === 0 ? 'no answer' : `answered ${status}`);
