import { answersTo, type Evidence, type Fields, isPaid, ordersOf } from '../evidence.ts';
import { common, type Finding, seen, unseen } from '../finding.ts';
import { groupBy } from '../group-by.ts';
import { isPlainWord, listWords } from '../shape.ts';
import { valuesAt } from './fields.ts';

/** Returns the most common value of a field. */
const mostCommon = (entries: readonly Fields[], field: string): unknown => {
  const counts = groupBy(entries, (entry) => entry[field]);
  return [...counts].sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
};

const withStatus = (evidence: Evidence, isWanted: (status: unknown) => boolean): Fields[] =>
  answersTo(evidence, 'filter').flatMap((answer) =>
    isWanted(answer.question.orderStatus) ? (ordersOf(answer) ?? []) : [],
  );

/** Returns three words for a setting of the mock; its defaults if no others were seen. */
const words = (values: readonly unknown[], found: readonly unknown[], own: readonly string[]): string | undefined => {
  if (values.every((value) => own.includes(String(value)))) return own.join(',');
  const three = found.map((word, n) => (word === undefined ? own[n] : word === null ? 'null' : word));
  if (!three.every((word) => word === 'null' || isPlainWord(word))) return undefined;
  return common(three) === undefined ? three.join(',') : String(three[0]);
};

const sayWords = (values: unknown[], set: string | undefined, name: 'zahlungsstatus' | 'lieferstatus'): Finding => {
  if (values.length === 0) return unseen(`no ${name} was read`);
  const text = listWords(values, isPlainWord);
  const rest = new Set(values).size > 3 ? '; the mock uses three of them' : '';
  return set === undefined ? seen(text) : seen(text + rest, { [name]: set });
};

/** U-18 */
export const paymentWords = (evidence: Evidence): Finding => {
  const field = 'zahlungsstatus';
  const values = valuesAt(evidence, `orders[].${field}`).filter((value) => value !== undefined);
  const found = [(status: unknown) => status === 'ausstehend', isPaid, (status: unknown) => status === 'storniert'].map(
    (isWanted) => mostCommon(withStatus(evidence, isWanted), field),
  );
  return sayWords(values, words(values, found, ['offen', 'bezahlt', 'erstattet']), field);
};

/** U-19 */
export const deliveryWords = (evidence: Evidence): Finding => {
  const field = 'lieferstatus';
  const values = valuesAt(evidence, `orders[].${field}`).filter((value) => value !== undefined);
  const none = mostCommon(
    withStatus(evidence, (status) => status === 'ausstehend' || status === 'storniert'),
    field,
  );
  const paid = withStatus(evidence, isPaid);
  const completed = withStatus(evidence, (status) => status === 'abgeschlossen');
  const all = mostCommon(completed.length > 0 ? completed : paid, field);
  const others = [...new Set(paid.map((entry) => entry[field]))].filter((word) => word !== none && word !== all);
  const some = others.length === 0 ? (none === all ? none : undefined) : others[0];
  return sayWords(values, words(values, [none, some, all], ['offen', 'teilgeliefert', 'geliefert']), field);
};
