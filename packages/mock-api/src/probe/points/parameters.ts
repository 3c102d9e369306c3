import type { Answer } from '../ask/asker.ts';
import type { QuestionName } from '../ask/questions.ts';
import { answersTo, answerTo, type Evidence, ordersOf, pagingOf } from '../evidence.ts';
import { common, type Finding, type SettingValues, seen, unseen } from '../finding.ts';
import { smallNumber } from '../shape.ts';
import { answered } from './list.ts';

const outOfRange: QuestionName[] = ['pageZero', 'perPageZero', 'perPageAbove', 'pageWord', 'pageEmpty'];

/** Returns the page size: as stated, or counted. */
const sizeOf = (answer: Answer | undefined): number | undefined =>
  pagingOf(answer, 'per_page') ?? ordersOf(answer)?.length;

/** The mock has one setting for all invalid numbers, so it applies only if the service treats them alike. */
const paramsOf = (evidence: Evidence): string | undefined => {
  const asked = outOfRange.flatMap((name) => answerTo(evidence, name) ?? []);
  const rejected = common(asked.map(({ status }) => status === 400));
  if (rejected === true) return 'reject';
  if (rejected === undefined || !asked.every((answer) => ordersOf(answer))) return undefined;
  const smallest = sizeOf(answerTo(evidence, 'perPageZero'));
  return smallest === 1 ? 'clamp' : 'default';
};

const wrongNumber = (evidence: Evidence, text: string): Finding => {
  const params = paramsOf(evidence);
  return params === undefined ? seen(`${text}; the mock treats all wrong numbers alike`) : seen(text, { params });
};

const sayNumber = (answer: Answer | undefined, what: string): string => {
  if (!answer) return `${what} not asked`;
  if (!ordersOf(answer)) return `${what} ${answered(answer.status)}`;
  const used = what.startsWith('per_page')
    ? `per_page ${smallNumber(sizeOf(answer))}`
    : `page ${smallNumber(pagingOf(answer, 'page'))}`;
  return `${what} is read as ${used}`;
};

/** U-01 */
export const pageZero = (evidence: Evidence): Finding =>
  wrongNumber(evidence, sayNumber(answerTo(evidence, 'pageZero'), 'page=0'));

/** U-02 */
export const perPage = (evidence: Evidence): Finding => {
  const [large] = answersTo(evidence, 'listPages');
  const most = sizeOf(large);
  // A page size that ignores per_page isn't a maximum.
  const isFixed = (sizeOf(answerTo(evidence, 'listOne')) ?? 1) > 1;
  const isLowered = pagingOf(large, 'per_page') !== undefined || (pagingOf(large, 'pages') ?? 0) > 1;
  const set: SettingValues =
    isLowered && !isFixed && most !== undefined && most >= 1 && most <= 50 ? { perPageMax: String(most) } : {};
  const text =
    most === undefined
      ? 'per_page=50 was not answered'
      : `per_page=50 returns pages of ${isLowered ? smallNumber(most) : 'unknown size'}`;
  if (!evidence.groups.has('malformed')) {
    if (most === undefined) return unseen('per_page=50 was not answered');
    return seen(`${text}; per_page=0 and 51 are asked with --with-malformed`, set);
  }
  const wrong = (['perPageZero', 'perPageAbove'] as const).map((name) =>
    sayNumber(answerTo(evidence, name), name === 'perPageZero' ? 'per_page=0' : 'per_page=51'),
  );
  const found = wrongNumber(evidence, [text, ...wrong].join('; '));
  return 'seen' in found ? seen(found.seen, { ...found.set, ...set }) : found;
};

/** U-03 */
export const pageWord = (evidence: Evidence): Finding =>
  wrongNumber(
    evidence,
    [
      sayNumber(answerTo(evidence, 'pageWord'), 'page=abc'),
      sayNumber(answerTo(evidence, 'pageEmpty'), 'an empty page'),
    ].join('; '),
  );

/** U-04 */
export const statusFilter = (evidence: Evidence): Finding => {
  const set: SettingValues = {};
  const [unknown, empty] = [answerTo(evidence, 'statusUnknown'), answerTo(evidence, 'statusEmpty')];
  const [listed, blank] = [ordersOf(unknown), ordersOf(empty)];
  const hasOrders = (ordersOf(answerTo(evidence, 'list'))?.length ?? 0) > 0;
  let unknownText = unknown ? answered(unknown.status) : 'not asked';
  if (unknown?.status === 400) set.unknownStatus = 'reject';
  else if (listed && hasOrders) {
    set.unknownStatus = listed.length > 0 ? 'ignore' : 'empty';
    unknownText = listed.length > 0 ? 'ignored' : '200 with no orders';
  }
  if (empty?.status === 400) set.emptyStatus = 'reject';
  else if (blank && (blank.length > 0 || !hasOrders)) set.emptyStatus = 'ignore';
  const emptyText = set.emptyStatus === 'ignore' ? 'ignored' : empty ? answered(empty.status) : 'not asked';
  return seen(`an unknown status: ${unknownText}; an empty one: ${emptyText}`, set);
};

/** U-07 */
export const duplicateParams = (evidence: Evidence): Finding => {
  const answer = answerTo(evidence, 'duplicate');
  if (!answer) return unseen('not asked');
  if (answer.status === 400) return seen('answered 400', { duplicateParams: 'reject' });
  const size = sizeOf(answer);
  if ((sizeOf(answersTo(evidence, 'listPages')[0]) ?? 2) < 2) return unseen('pages have one order');
  if (size === 1) return seen('the first one counts', { duplicateParams: 'first' });
  if (size === 2) return seen('the last one counts', { duplicateParams: 'last' });
  return ordersOf(answer) ? unseen('needs two orders, or per_page in the answer') : seen(answered(answer.status));
};

/** U-08 */
export const unknownParams = (evidence: Evidence): Finding => {
  const answer = answerTo(evidence, 'parameter');
  if (!answer) return unseen('not asked');
  if (answer.status === 400) return seen('answered 400', { unknownParams: 'reject' });
  return ordersOf(answer) ? seen('ignored', { unknownParams: 'ignore' }) : seen(answered(answer.status));
};

/** U-26 */
export const invalidId = (evidence: Evidence): Finding => {
  const [word, tail, long] = (['idWord', 'idTail', 'idLong'] as const).map((name) => answerTo(evidence, name)?.status);
  const parts = [
    ...(word === undefined ? [] : [`abc ${answered(word)}`]),
    ...(tail === undefined ? [] : [`an ID followed by letters ${tail === 200 ? 'finds the order' : answered(tail)}`]),
    ...(long === undefined ? [] : [`thirty digits ${answered(long)}`]),
  ];
  if (parts.length === 0) return unseen('not asked');
  const text = parts.join('; ');
  if (tail === 200) return seen(text, { invalidId: 'coerce' });
  const same = tail === undefined ? (word === 400 ? 400 : undefined) : common([word, tail]);
  return same === 400 || same === 404 ? seen(text, { invalidId: String(same) }) : seen(text);
};
