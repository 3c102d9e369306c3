import { fieldPaths } from '../../settings/field-paths.ts';
import {
  codesOf,
  dataOf,
  detailsOf,
  type Evidence,
  entriesOf,
  type Fields,
  isFields,
  itemsOf,
  listAnswers,
  usersOf,
} from '../evidence.ts';
import { type Finding, seen, unseen } from '../finding.ts';
import { shapeOf } from '../shape.ts';

/** The objects that the first part of a path such as `items[].menge` refers to. */
const rootsOf = (evidence: Evidence): Record<string, Fields[]> => {
  const details = detailsOf(evidence);
  const items = details.flatMap(({ order }) => itemsOf(order));
  return {
    me: usersOf(evidence),
    'orders[]': entriesOf(evidence),
    pagination: listAnswers(evidence).flatMap((answer) => {
      const pagination = dataOf(answer)?.pagination;
      return isFields(pagination) ? [pagination] : [];
    }),
    order: details.map(({ order }) => order),
    'items[]': items,
    'license_codes[]': items.flatMap(codesOf),
  };
};

/** Returns the values at a path in all answers; `undefined` for each object without the field. */
export const valuesAt = (evidence: Evidence, path: string): unknown[] => valuesIn(rootsOf(evidence), path);

const valuesIn = (roots: Record<string, Fields[]>, path: string): unknown[] => {
  const cut = path.lastIndexOf('.');
  return (roots[path.slice(0, cut)] ?? []).map((owner) => owner[path.slice(cut + 1)]);
};

const isAll = (values: readonly unknown[], value: null | undefined): boolean =>
  values.length > 0 && values.every((one) => one === value);

/** Fields whose null values have their own open point. */
const explained: Record<string, string> = {
  'orders[].created_at': 'U-24',
  'orders[].zahlungsstatus': 'U-18',
  'orders[].lieferstatus': 'U-19',
  'order.billing_address': 'U-17',
};
const money = ['orders[].gesamtpreis_brutto', 'order.gesamtpreis_brutto', 'items[].einzelpreis_brutto'];

/** Whether every amount is null (U-22). */
export const isMoneyNull = (evidence: Evidence): boolean => {
  const values = money.map((path) => valuesAt(evidence, path)).filter((found) => found.length > 0);
  return values.length > 0 && values.every((found) => isAll(found, null));
};

/** U-59: the documented fields that never have a value. */
export const absentFields = (evidence: Evidence): Finding => {
  const roots = rootsOf(evidence);
  const found = new Map(fieldPaths.map((path) => [path as string, valuesIn(roots, path)]));
  const paths = [...found.keys()].filter((path) => found.get(path)?.length);
  if (paths.length === 0) return unseen('no object was read');
  const codes = (found.get('items[].license_codes') ?? []).some((value) => Array.isArray(value));
  const missing = paths.filter(
    (path) => isAll(found.get(path) ?? [], undefined) && !(path === 'items[].license_codes' && !hasPaidItem(evidence)),
  );
  const nulls = paths.filter((path) => {
    if (!isAll(found.get(path) ?? [], null) || path in explained) return false;
    if (money.includes(path)) return !isMoneyNull(evidence);
    return path !== 'items[].license_codes' || (!codes && hasPaidItem(evidence));
  });
  const mixed = paths.filter((path) => {
    if (missing.includes(path) || nulls.includes(path) || path in explained || path === 'items[].license_codes')
      return false;
    if (money.includes(path) && isMoneyNull(evidence)) return false;
    return (found.get(path) ?? []).some((value) => value === null || value === undefined) && !mayBeNull(path);
  });
  const parts = [
    ...missing.map((path) => `${path} is always missing`),
    ...nulls.map((path) => `${path} is always null`),
    ...mixed.map((path) => `${path} is ${shapesOf(found.get(path) ?? [])}`),
  ];
  const text = parts.length === 0 ? 'every field that was read has a value' : parts.join('; ');
  return seen(text, { missing: missing.join(','), nulls: nulls.join(',') });
};

/** Whether null has a meaning there (§2.6). */
const mayBeNull = (path: string): boolean => path.startsWith('license_codes[].download_url');

const hasPaidItem = (evidence: Evidence): boolean =>
  detailsOf(evidence).some(
    ({ order, status }) => (status === 'bezahlt' || status === 'abgeschlossen') && itemsOf(order).length > 0,
  );

const shapesOf = (values: readonly unknown[]): string => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(shapeOf(value), (counts.get(shapeOf(value)) ?? 0) + 1);
  return [...counts].map(([shape, count]) => `${shape} (${count})`).join(' or ');
};

/** U-46: the value of a company or VAT ID that the account doesn't have. */
export const emptyText = (evidence: Evidence): Finding => {
  const [me] = usersOf(evidence);
  if (!me) return unseen('GET /me could not be read');
  const lacking = (['company', 'vat_id'] as const).filter((field) => !me[field]);
  const [field] = lacking;
  if (!field) return unseen('this account has both');
  if (lacking.length === 2) return seen('this account has neither');
  const style = field in me ? (me[field] === null ? 'null' : 'empty') : 'absent';
  return seen(`${field} is ${shapeOf(me[field])}`, { emptyText: style });
};
