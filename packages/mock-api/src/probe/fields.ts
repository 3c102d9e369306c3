import { documentedFields, fieldPaths } from '../settings/field-paths.ts';
import { numberText } from '../settings/json.ts';
import { objectsIn } from './answer.ts';
import type { Add, Facts } from './facts.ts';

/** Adds the values of the documented fields of an object, or of the objects in a list. */
export const addFields = (owner: string, value: unknown, add: Add): void => {
  for (const object of objectsIn(value))
    for (const name of documentedFields[owner] ?? []) {
      add(`${owner}.${name}`, object[name]);
      if (Array.isArray(object[name])) addFields(`${name}[]`, object[name], add);
    }
};

/** Fields that other settings omit. */
const omitted = /company|vat_id/;
/** Fields that can be null, or that other settings set to null. */
const nullable = /company|vat_id|created_at|_brutto|zahlungsstatus|lieferstatus|billing_address|download_url/;
/** Fields whose type other settings decide. */
const typed = /^orders?(\[\])?\.id$|created_at|_brutto|billing_address/;

/** Adds which fields are missing, null or of another type than documented. */
export const addOddFields = (facts: Facts, add: Add): void => {
  const pathsWith = (value: null | undefined, others: RegExp) =>
    fieldPaths.filter((path) => facts.get(path)?.includes(value) && !others.test(path));
  const missing = pathsWith(undefined, omitted);
  add('missing', missing.join());
  // The mock can't both omit a field and set it to null.
  add(
    'nulls',
    pathsWith(null, nullable)
      .filter((path) => !missing.includes(path))
      .join(),
  );
  for (const path of fieldPaths.filter((path) => !typed.test(path)))
    for (const value of facts.get(path) ?? []) {
      const type = typeOf(value);
      add('§2', [documentedType(path), 'null', 'missing'].includes(type) ? 'documented' : `${path}: ${type}`);
    }
};

const documentedType = (path: string): string => {
  if (/\.id$|user_id|menge|aktivierungen|^pagination/.test(path)) return 'integer';
  return /items$|license_codes$/.test(path) ? 'list' : 'text';
};

/** Returns the type of a JSON value. */
export const typeOf = (value: unknown): string => {
  if (value === undefined) return 'missing';
  const number = numberText(value);
  if (number !== undefined) return /^-?\d+$/.test(number) ? 'integer' : 'fraction';
  return Array.isArray(value) ? 'list' : typeof value === 'string' ? 'text' : value === null ? 'null' : typeof value;
};
