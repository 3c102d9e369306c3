import { statuses } from '../../data/order.ts';
import { codeTypes } from '../../data/products.ts';
import { codesOf, detailsOf, type Evidence, entriesOf, type Fields, isUnpaid, itemsOf } from '../evidence.ts';
import { shapeOf } from '../shape.ts';
import type { Note, StatementId } from './note.ts';

type Type = 'string' | 'integer' | 'list' | 'object';

const isOf = (value: unknown, type: Type): boolean => {
  if (type === 'integer') return Number.isInteger(value) || typeof value === 'bigint';
  if (type === 'list') return Array.isArray(value);
  return typeof value === type && value !== null && !Array.isArray(value);
};

/** Describes a value that should be a string of a certain form. */
export const sayForm = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? 'a string of another form' : shapeOf(value);

/** Records each field with a wrong type. */
export const checkTypes = (
  id: StatementId,
  path: string,
  owner: Fields,
  types: Record<string, Type>,
  note: Note,
): void => {
  const wrong = Object.entries(types).filter(([name, type]) => !isOf(owner[name], type));
  if (wrong.length === 0) note(id, true, '');
  for (const [name] of wrong) note(id, false, `${path}.${name} is ${shapeOf(owner[name])}`);
};

export const checkMoney = (value: unknown, path: string, note: Note): void => {
  if (value === undefined) return;
  const isMoney = typeof value === 'string' && /^-?\d+\.\d\d$/.test(value);
  note('S-20', isMoney, `${path} is ${sayForm(value)}`);
};

const orderTypes = {
  id: 'integer',
  bestellnummer: 'string',
  status: 'string',
  gesamtpreis_brutto: 'string',
  waehrung: 'string',
  items: 'list',
  billing_address: 'object',
} as const;
const itemTypes = { id: 'integer', product_name: 'string', menge: 'integer', einzelpreis_brutto: 'string' } as const;

/** Checks orders, items and license codes (§2.4 to §2.6, §4.3). */
export const checkOrders = (evidence: Evidence, note: Note): void => {
  const listed = new Map(entriesOf(evidence).map((entry) => [String(entry.id), entry]));
  for (const { order, status } of detailsOf(evidence)) {
    checkTypes('S-26', 'order', order, orderTypes, note);
    checkMoney(order.gesamtpreis_brutto, 'order.gesamtpreis_brutto', note);
    if (typeof order.status === 'string') {
      note('S-19', (statuses as readonly string[]).includes(order.status), 'an undocumented status');
    }
    compareWithList(order, listed.get(String(order.id)), note);
    if (isUnpaid(status)) {
      note('S-37', !holdsKey(order), `an order that is ${status} has a license_key`);
    }
    for (const item of itemsOf(order)) {
      // The API docs leave license_codes of unpaid orders open (U-12).
      const types = isUnpaid(status) ? itemTypes : { ...itemTypes, license_codes: 'list' as const };
      checkTypes('S-28', 'items[]', item, types, note);
      checkMoney(item.einzelpreis_brutto, 'items[].einzelpreis_brutto', note);
      for (const code of codesOf(item)) checkCode(code, note);
    }
  }
};

const compareWithList = (order: Fields, entry: Fields | undefined, note: Note): void => {
  if (!entry) return;
  const differing = ['bestellnummer', 'status', 'gesamtpreis_brutto', 'waehrung'].filter(
    (name) => entry[name] !== undefined && order[name] !== undefined && entry[name] !== order[name],
  );
  note('S-18', differing.length === 0, `${differing.join(', ')} differ`);
};

/** Whether an order contains a license_key with a value, up to 20 levels deep. */
const holdsKey = (value: unknown, depth = 0): boolean => {
  if (typeof value !== 'object' || value === null || depth > 20) return false;
  return Object.entries(value).some(
    ([name, inner]) => (name === 'license_key' && inner !== null && inner !== '') || holdsKey(inner, depth + 1),
  );
};

const checkCode = (code: Fields, note: Note): void => {
  const { license_key, code_typ, aktivierungen_bestellung } = code;
  note('S-29', typeof license_key === 'string' && license_key !== '', `license_key is ${shapeOf(license_key)}`);
  const isKnown = (codeTypes as readonly unknown[]).includes(code_typ);
  note('S-30', isKnown, `code_typ is ${typeof code_typ === 'string' ? 'an undocumented value' : shapeOf(code_typ)}`);
  for (const name of ['download_url_64', 'download_url_32']) {
    const url = code[name];
    note('S-31', url === null || typeof url === 'string', `${name} is ${shapeOf(url)}`);
  }
  const shape = shapeOf(aktivierungen_bestellung);
  note('S-32', isOf(aktivierungen_bestellung, 'integer'), `aktivierungen_bestellung is ${shape}`);
};
