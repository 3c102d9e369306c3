import { billingAddress } from '../../api/show-order.ts';
import { type Account, fixtureAccounts } from '../../data/accounts.ts';
import { fieldPaths } from '../../settings/field-paths.ts';
import {
  codesOf,
  detailsOf,
  type Evidence,
  entriesOf,
  type Fields,
  isFields,
  isPaid,
  isUnpaid,
  itemsOf,
} from '../evidence.ts';
import { common, type Finding, plural, seen, unseen } from '../finding.ts';
import { groupBy } from '../group-by.ts';
import { isPlainName, listWords, shapeOf } from '../shape.ts';
import { valuesAt } from './fields.ts';

const noOrder = 'no order was read';
const stated = fieldPaths.filter((path) => path.startsWith('order.')).map((path) => path.slice('order.'.length));
const ofSummary = ['zahlungsstatus', 'created_at', 'lieferstatus'];

/** U-12 */
export const ineligibleCodes = (evidence: Evidence): Finding => {
  const items = detailsOf(evidence)
    .filter(({ status }) => isUnpaid(status))
    .flatMap(({ order }) => itemsOf(order));
  if (items.length === 0) return unseen('no item of a pending or cancelled order was read');
  const forms = new Set(items.map(({ license_codes }) => shapeOf(license_codes)));
  const form = common([...forms]);
  const styles: Record<string, string> = { 'an empty list': 'empty', missing: 'absent', null: 'null' };
  const style = form === undefined ? undefined : styles[form];
  const text = [...forms].join(' or ');
  return style ? seen(text, { ineligibleCodes: style }) : seen(text);
};

const paidItems = (evidence: Evidence): Fields[] =>
  detailsOf(evidence)
    .filter(({ status }) => isPaid(status))
    .flatMap(({ order }) => itemsOf(order));

/** U-13 */
export const deliveredCodes = (evidence: Evidence): Finding => {
  const orders = detailsOf(evidence).filter(
    ({ status, order }) => isPaid(status) && itemsOf(order).some(({ license_codes }) => Array.isArray(license_codes)),
  );
  if (orders.length === 0) return unseen('no paid or completed order with items and codes was read');
  const without = orders.filter(({ order }) => itemsOf(order).every((item) => codesOf(item).length === 0)).length;
  const text = `${without} of ${plural(orders.length, 'paid or completed order')} have no codes`;
  if (without < orders.length) return seen(text, { deliveredCodes: 'seeded' });
  return orders.length >= 3 ? seen(text, { deliveredCodes: 'none' }) : seen(text);
};

/** U-14 */
export const codesPerItem = (evidence: Evidence): Finding => {
  const items = paidItems(evidence).filter(({ license_codes }) => Array.isArray(license_codes));
  if (items.length === 0) return unseen('no item of a paid or completed order was read');
  const count = (test: (item: Fields, codes: number) => boolean) =>
    items.filter((item) => test(item, codesOf(item).length)).length;
  const same = count((item, codes) => codes === item.menge);
  const none = count((_, codes) => codes === 0);
  return seen(`of ${plural(items.length, 'item')}, ${same} have as many codes as units, ${none} have none`);
};

/** U-15 */
export const items = (evidence: Evidence): Finding => {
  const lists = detailsOf(evidence)
    .map(({ order }) => order.items)
    .filter(Array.isArray);
  if (lists.length === 0) return unseen('no list of items was read');
  const empty = lists.filter((list) => list.length === 0).length;
  return seen(`${empty} of ${plural(lists.length, 'order')} have no items`, {
    items: empty === lists.length ? 'empty' : 'seeded',
  });
};

const furtherFields = (evidence: Evidence): string[] | undefined => {
  const details = detailsOf(evidence);
  if (details.length === 0) return undefined;
  return [...new Set(details.flatMap(({ order }) => Object.keys(order)))].filter((name) => !stated.includes(name));
};

const extraFields = (names: readonly string[]): { extraFields: string } | undefined => {
  if (names.length === 0) return { extraFields: 'none' };
  if (names.every((name) => ofSummary.includes(name))) return { extraFields: 'summary' };
  return names.some((name) => ofSummary.includes(name)) ? undefined : { extraFields: 'unknown' };
};

/** U-16 */
export const otherFields = (evidence: Evidence): Finding => {
  const names = furtherFields(evidence);
  if (!names) return unseen(noOrder);
  const others = names.filter((name) => !ofSummary.includes(name));
  const set = extraFields(names);
  const text = others.length === 0 ? 'none' : listWords(others, isPlainName);
  return seen(set ? text : `${text}; the mock cannot add both these and the fields of the list entry`, set);
};

/** U-20 */
export const summaryFields = (evidence: Evidence): Finding => {
  const names = furtherFields(evidence);
  if (!names) return unseen(noOrder);
  const repeated = names.filter((name) => ofSummary.includes(name));
  return seen(repeated.length === 0 ? 'none of them' : repeated.join(', '), extraFields(names));
};

const [account] = fixtureAccounts as [Account];
/** The field names of the addresses that the mock invents. */
const billingNames = (['sample', 'german'] as const).map((style) => ({
  style,
  names: Object.keys(billingAddress(account, style) ?? {}).sort(),
}));

/** U-17 */
export const billing = (evidence: Evidence): Finding => {
  const values = valuesAt(evidence, 'order.billing_address').filter((value) => value !== undefined);
  if (values.length === 0) return unseen('no billing address was read');
  const shape = common(values.map(shapeOf));
  const simple: Record<string, string> = {
    'an empty object': 'emptyObject',
    'an empty list': 'emptyArray',
    null: 'null',
  };
  if (shape && simple[shape]) return seen(shape, { billing: simple[shape] });
  const names = [...new Set(values.filter(isFields).flatMap((value) => Object.keys(value)))].sort();
  const text = `an object with ${names.length === 0 ? 'no fields' : listWords(names, isPlainName)}`;
  const style = billingNames.find((known) => known.names.join() === names.join())?.style;
  return style ? seen(text, { billing: style }) : seen(`${text}; the mock has no address of this form`);
};

/** U-21 */
export const statusPairs = (evidence: Evidence): Finding => {
  const entries = entriesOf(evidence).filter((entry) => typeof entry.status === 'string');
  const byStatus = groupBy(entries, (entry) => entry.status);
  if (byStatus.size === 0) return unseen('no status was read');
  const counts = [...byStatus.values()].map((group) => new Set(group.map(({ zahlungsstatus }) => zahlungsstatus)).size);
  const several = counts.filter((count) => count > 1).length;
  return seen(
    several === 0
      ? 'in these orders, each status comes with one payment status'
      : `${several} of ${plural(counts.length, 'status').replace('statuss', 'statuses')} come with more than one payment status`,
  );
};

/** Describes a number in codes or items, with the setting for its form. */
const byNumber = (
  values: unknown[],
  what: string,
  styleOf: (value: unknown) => string,
  name: 'activations' | 'quantity',
): Finding => {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return unseen(`no ${what} was read`);
  const styles = known.map(styleOf);
  const style = common(styles) ?? (styles.includes('normal') ? 'normal' : undefined);
  const odd = styles.filter((one) => one !== 'normal').length;
  const text =
    odd === 0
      ? `at least 1 in all of ${plural(known.length, what)}`
      : `${[...new Set(styles)].join(', ')} in ${plural(known.length, what)}`;
  return style ? seen(text, { [name]: style }) : seen(text);
};

/** U-52 */
export const activations = (evidence: Evidence): Finding =>
  byNumber(
    valuesAt(evidence, 'license_codes[].aktivierungen_bestellung'),
    'license code',
    (value) => {
      if (value === null) return 'null';
      if (value === 0) return 'zero';
      if (Number(value) < 0) return 'negative';
      return Number(value) >= 2 ** 31 ? 'huge' : 'normal';
    },
    'activations',
  );

/** U-53 */
export const quantity = (evidence: Evidence): Finding =>
  byNumber(
    valuesAt(evidence, 'items[].menge').filter((value) => value !== null),
    'item',
    (value) => (value === 0 ? 'zero' : Number(value) < 0 ? 'negative' : 'normal'),
    'quantity',
  );
