import type { Planted } from './planted-service.ts';

/** A word that occurs in every secret except one, and nowhere else. */
export const canary = 'CANARY';
export const key = `${canary}-7F3A1-91B2C-55C0D-E4F6A`;
const user = 'Benutzer: anna Passwort: ';
const password = `${canary.toLowerCase()}7pass`;
/** The only secret that does not contain `canary`: a license key that consists of digits. */
export const numberKey = 987_654_321_012;

/** Whether a secret can be read in the text, in any notation. */
export const showsCanary = (text: string): boolean => {
  const plain = text.normalize('NFKD').replace(/\\u[\da-f]{4}|[^a-z\d]/gi, '');
  return /canary/i.test(plain) || plain.includes(String(numberKey));
};

const code = {
  id: 701,
  license_key: 'AAAAA-BBBBB-CCCCC-DDDDD',
  code_typ: 'retail',
  download_url_64: null,
  download_url_32: null,
  aktivierungen_bestellung: 1,
};
const item = { id: 70, product_name: 'Office', menge: 1, einzelpreis_brutto: '10.00' };
const entry = {
  id: 7,
  bestellnummer: 'B-7',
  status: 'bezahlt',
  zahlungsstatus: 'bezahlt',
  gesamtpreis_brutto: '10.00',
  waehrung: 'EUR',
  created_at: '2026-01-31 08:00:00',
  lieferstatus: 'geliefert',
};
const pagination = { page: 1, per_page: 50, total: 2, pages: 1 };
const account = {
  user_id: 1,
  email: 'a@b.example',
  name: 'Anna Amsel',
  company: 'Amsel GmbH',
  vat_id: 'DE1',
  api_version: '1.0',
};

interface Fields {
  me?: object;
  list?: object;
  pagination?: object;
  entry?: object;
  order?: object;
  item?: object;
  code?: object;
  /** Replaces the list of codes. */
  codes?: unknown;
  /** Replaces the list of line items. */
  items?: unknown;
  /** Fields of a second order, which has no codes. */
  other?: object;
  error?: Planted['error'];
}

const planted = (fields: Fields): Planted => {
  const codes = fields.codes ?? [{ ...code, ...fields.code }];
  const items = fields.items ?? [{ ...item, license_codes: codes, ...fields.item }];
  const order = { ...entry, items, billing_address: { ort: 'Berlin' }, ...fields.order };
  const other = { ...entry, id: 8, bestellnummer: 'B-8', created_at: '2026-01-30 08:00:00' };
  return {
    me: { ...account, ...fields.me },
    list: {
      orders: [{ ...entry, ...fields.entry }, other],
      pagination: { ...pagination, ...fields.pagination },
      ...fields.list,
    },
    orders: { 7: order, 8: { ...other, items: [{ ...item, license_codes: [] }], ...fields.other } },
    ...(fields.error && { error: fields.error }),
  };
};

const url = (path: string): string => `https://dl.example/${path}`;

const shapes: Record<string, Fields> = {
  'a key': { code: { license_key: key } },
  'a token in the query of a download address': { code: { download_url_32: url(`setup.exe?token=${canary}`) } },
  'a key repeated in a product name': { code: { license_key: key }, item: { product_name: `Office (${key})` } },
  'a key repeated in an order number': { code: { license_key: key }, order: { bestellnummer: `B-7 ${key}` } },
  'a key repeated in the payment status': { code: { license_key: key }, order: { zahlungsstatus: `paid ${key}` } },
  'a key repeated in another order': { code: { license_key: key }, other: { bestellnummer: `B-8, see ${key}` } },
  'a user name and password as a key, the password repeated': {
    code: { license_key: user + password },
    item: { product_name: `Portal, login ${password}` },
  },
  'a key of digits, repeated as a number': {
    code: { license_key: numberKey },
    item: { menge: numberKey },
  },
  'a key as an object': { code: { license_key: { value: key } }, item: { product_name: key } },
  'a key in a field with a different name': { code: { serial: key } },
  'a key in an unknown field of the item': { item: { serial: key } },
  'a key in an unknown field of the order': { order: { keys: [key] } },
  'a key as the name of a field of the order': { order: { [key]: 1 } },
  'keys in place of codes': { codes: [key], order: { lieferstatus: key } },
  'a map in place of codes': { codes: { 17: key, 42: { license_key: key } }, order: { lieferstatus: key } },
  'a text in place of codes': { codes: key },
  'a map in place of items': { items: { 1: { product_name: key, license_codes: [code] } } },
  'a text in place of items': { items: key },
  'items in a list of lists': { items: [[{ product_name: key }], key] },
  'an object in place of a product name': { item: { product_name: { de: key } } },
  'a text in place of the status': { order: { status: key }, entry: { status: key } },
  'a text in place of the total': { order: { gesamtpreis_brutto: key }, entry: { gesamtpreis_brutto: key } },
  'a text in place of the date': { order: { created_at: key }, entry: { created_at: key } },
  'orders in an order': { order: { orders: [{ bestellnummer: key }] } },
  'a billing address': { order: { billing_address: { [canary]: canary, key } } },
  'unknown fields of a list entry': { entry: { serial: key, nested: { deep: [key] }, [key]: 1 } },
  'unknown fields of the list': { list: { summary: { key } } },
  'unknown fields of the pagination': { pagination: { next: key, [key]: 1 } },
  'strings in the pagination': { pagination: { per_page: key, total: [key] } },
  'unknown fields of the account': { me: { api_key: key, licenses: [key], [key]: 1 } },
  'values of other types in the account': { me: { user_id: key, email: { a: key }, company: [key], api_version: key } },
  '60 codes, one key repeated': {
    codes: Array.from({ length: 60 }, (_, i) => ({
      ...code,
      id: i + 1,
      license_key: `${key}-${i}`,
      download_url_64: url(`${canary}${i}`),
      serial: `${key}${i}`,
    })),
    item: { product_name: `Office ${key}-7` },
  },
  '60 keys in place of codes': { codes: Array.from({ length: 60 }, (_, i) => `${key}-${i}`) },
  'a key in the message of a 401': { error: { status: 401, error: `No such key: ${key}` } },
  'a key in the message of a 404': { error: { status: 404, error: key } },
  'a key in the message of a 400': { error: { status: 400, error: `${user}${password}` } },
};

/**
 * Places where a shop could put a license key, a password or a token, each with the API's response. The spellings and
 * forms of a key that are hidden are core's, so core's tests show them.
 */
export const plantedShapes: [name: string, planted: Planted][] = Object.entries(shapes).map(([name, fields]) => [
  name,
  planted(fields),
]);

/** Places where an API response contains personal data. Only the canary is personal. */
export const personalShapes: [name: string, planted: Planted][] = Object.entries<Fields>({
  'the e-mail address and name of the account': { me: { email: `${canary}@shop.example`, name: `Anna ${canary}` } },
  'an e-mail address in the order number of a list entry': {
    entry: { bestellnummer: `B-7 for ${canary}@shop.example` },
  },
  'an e-mail address in the order number of an order': {
    order: { bestellnummer: `B-7 for ${canary}@shop.example` },
    entry: { lieferstatus: `sent to ${canary}@shop.example` },
  },
  'a billing address': { order: { billing_address: { name: canary, street: canary } } },
  'a customer in the list': { entry: { customer: { name: canary } } },
  'a contact in an item': { item: { contact: canary } },
  'personal data in an error message': { error: { status: 404, error: `Not an order of ${canary}` } },
}).map(([name, fields]) => [name, planted(fields)]);
