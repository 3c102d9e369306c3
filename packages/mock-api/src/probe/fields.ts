import { documentedFields, fieldPaths } from '../settings/field-paths.ts';
import { numberText } from '../settings/json.ts';
import { objectsIn } from './ask.ts';
import type { Add, Facts } from './facts.ts';

/** Adds the values of the documented fields of an object, or of the objects in a list. */
export const addFields = (owner: string, value: unknown, add: Add): void => {
  for (const object of objectsIn(value))
    for (const name of documentedFields[owner] ?? []) {
      add(`${owner}.${name}`, object[name]);
      addFields(`${name}[]`, object[name], add);
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
  const odd = { missing: [] as string[], nulls: [] as string[] };
  for (const path of fieldPaths) {
    const types = new Set(facts.get(path)?.map(typeOf));
    // The mock can't both omit a field and set it to null.
    if (types.has('undefined') && !omitted.test(path)) odd.missing.push(path);
    else if (types.has('null') && !nullable.test(path)) odd.nulls.push(path);
    for (const type of typed.test(path) ? [] : types)
      add('§2', [documentedType(path), 'null', 'undefined'].includes(type) ? 'documented' : `${path}: ${type}`);
  }
  add('missing', odd.missing.join());
  add('nulls', odd.nulls.join());
};

const documentedType = (path: string): string => {
  if (/\.id$|user_id|menge|aktivierungen|^pagination/.test(path)) return 'integer';
  return /items$|license_codes$/.test(path) ? 'list' : 'string';
};

const typeOf = (value: unknown): string => {
  const number = numberText(value);
  if (number !== undefined) return /^-?\d+$/.test(number) ? 'integer' : 'number';
  return Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
};
