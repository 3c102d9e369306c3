import { statuses } from '../../data/order.ts';
import { codeTypes } from '../../data/products.ts';
import { codesOf, detailsOf, type Evidence, entriesOf, itemsOf } from '../evidence.ts';
import { common, type Finding, plural, seen, unseen } from '../finding.ts';
import { isPlainWord, listWords, shapeOf } from '../shape.ts';
import { isMoneyNull, valuesAt } from './fields.ts';

/** Returns the form of an amount, mostly named like a value of the setting `money`. */
const moneyForm = (value: unknown): string => {
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (typeof value !== 'string') return 'other';
  if (/^\d+\.\d\d$/.test(value)) return 'string';
  if (/^-\d+\.\d\d$/.test(value)) return 'negative';
  if (/^\d+\.\d$/.test(value)) return 'oneDigit';
  if (/^\d+$/.test(value)) return 'integer';
  if (/^\d{1,3}(\.\d{3})+,\d\d$/.test(value)) return 'dotComma';
  if (/^\d+,\d\d$/.test(value)) return Number.parseInt(value, 10) > 999 ? 'comma' : 'smallComma';
  return 'other';
};

const moneyTexts: Record<string, string> = {
  string: 'strings with two fraction digits',
  number: 'numbers instead of strings',
  negative: 'negative amounts',
  oneDigit: 'strings with one fraction digit',
  integer: 'strings without fraction digits',
  dotComma: 'strings like 1.234,50',
  comma: 'strings like 1234,50',
  smallComma: 'strings with a comma',
  other: 'other forms',
};

/** U-22 */
export const money = (evidence: Evidence): Finding => {
  if (isMoneyNull(evidence)) return seen('null', { money: 'null' });
  const paths = ['orders[].gesamtpreis_brutto', 'order.gesamtpreis_brutto', 'items[].einzelpreis_brutto'];
  const values = paths
    .flatMap((path) => valuesAt(evidence, path))
    .filter((value) => value !== undefined && value !== null);
  if (values.length === 0) return unseen('no amount was read');
  const forms = new Set(values.map(moneyForm));
  const text = [...forms].map((form) => moneyTexts[form]).join('; ');
  const has = (...wanted: string[]) => [...forms].every((form) => wanted.includes(form));
  if (has('string')) return seen(text, { money: 'string' });
  if (has('number')) return seen(text, { money: 'number' });
  if (has('negative')) return seen(text, { money: 'negative' });
  if (has('string', 'oneDigit')) return seen(text, { money: 'oneDigit' });
  if (has('string', 'integer')) return seen(text, { money: 'integer' });
  if (has('dotComma', 'smallComma')) return seen(text, { money: 'dotComma' });
  if (has('comma', 'smallComma')) return seen(text, { money: 'comma' });
  return seen(`${text}; the mock writes all amounts in one form`);
};

/** With fewer amounts, another currency may be missing by chance. */
const enoughForOne = 40;

/** U-23 */
export const currency = (evidence: Evidence): Finding => {
  const values = ['orders[].waehrung', 'order.waehrung'].flatMap((path) => valuesAt(evidence, path));
  const codes = new Set(values.filter((value) => value !== undefined && value !== null));
  if (codes.size === 0) return unseen('no currency was read');
  const text = listWords(codes, (code) => /^[A-Z]{3}$/.test(code));
  if (codes.size > 1 && codes.has('EUR')) return seen(text, { currency: 'mixed' });
  const [only] = codes;
  const isClear = only === 'JPY' || (only === 'EUR' && codes.size === 1 && values.length >= enoughForOne);
  return isClear ? seen(text, { currency: only }) : seen(text);
};

const dateForm = (value: unknown): string => {
  if (value === null) return 'null';
  if (typeof value !== 'string') return shapeOf(value);
  if (value.startsWith('0000-00-00')) return 'zero';
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)) return 'ok';
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) ? 'iso' : 'another form';
};
const dateTexts: Record<string, string> = {
  ok: 'as documented',
  zero: '0000-00-00 00:00:00',
  iso: 'ISO 8601 with a T',
};

/** U-24 */
export const dates = (evidence: Evidence): Finding => {
  const forms = new Set(
    valuesAt(evidence, 'orders[].created_at')
      .filter((value) => value !== undefined)
      .map(dateForm),
  );
  if (forms.size === 0) return unseen('no created_at was read');
  const text = [...forms].map((form) => dateTexts[form] ?? form).join('; ');
  const form = common([...forms]);
  return form && ['ok', 'zero', 'null', 'iso'].includes(form) ? seen(text, { dates: form }) : seen(text);
};

const idForm = (value: unknown): string => {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'bigint') return 'big';
  if (typeof value !== 'number' || !Number.isInteger(value)) return 'other';
  return value < 0 ? 'negative' : 'safe';
};
const idTexts: Record<string, string> = {
  safe: 'whole numbers below 2^53',
  big: 'whole numbers beyond 2^53',
  string: 'strings',
  negative: 'negative numbers',
  other: 'neither a whole number nor a string',
};

/** U-25 */
export const ids = (evidence: Evidence): Finding => {
  const values = ['orders[].id', 'order.id'].flatMap((path) => valuesAt(evidence, path));
  const forms = [...new Set(values.filter((value) => value !== undefined && value !== null).map(idForm))];
  if (forms.length === 0) return unseen('no ID was read');
  const text = forms.map((form) => idTexts[form]).join('; ');
  const form = common(forms);
  return form && form !== 'other' ? seen(text, { ids: form }) : seen(text);
};

const urlForm = (url: unknown, origin: string): string => {
  if (typeof url !== 'string') return 'other';
  if (url === '') return 'empty';
  if (url.startsWith('/')) return 'relative';
  if (url.startsWith(`${origin}/`)) return 'own';
  if (url.startsWith('https://')) return url.includes('?') ? 'expiring' : 'https';
  return url.startsWith('http://') ? 'http' : 'other';
};
const urlTexts: Record<string, string> = {
  empty: 'empty strings',
  relative: 'paths without a host',
  own: 'addresses at the service itself',
  https: 'absolute https addresses',
  expiring: 'https addresses with a query, which may expire',
  http: 'plain http addresses',
  other: 'neither a string nor null',
};

/** U-50 */
export const downloadUrls = (evidence: Evidence): Finding => {
  const values = ['64', '32'].flatMap((bits) => valuesAt(evidence, `license_codes[].download_url_${bits}`));
  const { origin } = new URL(evidence.baseUrl);
  const forms = [
    ...new Set(values.filter((value) => value !== null && value !== undefined).map((url) => urlForm(url, origin))),
  ];
  if (forms.length === 0) return unseen('no download URL was read');
  const text = `${forms.map((form) => urlTexts[form]).join('; ')}; none was requested`;
  const form = common(forms);
  if (form === 'own') return seen(text, { serveDownloads: 'on' });
  return form && form !== 'other' ? seen(text, { downloadUrls: form, serveDownloads: 'off' }) : seen(text);
};

/** U-51 */
export const licenseKeys = (evidence: Evidence): Finding => {
  const keys = valuesAt(evidence, 'license_codes[].license_key').filter((key) => typeof key === 'string');
  if (keys.length === 0) return unseen('no license key was read');
  const marks: [string, RegExp][] = [
    ['spaces', / /],
    ['line breaks', /[\r\n]/],
    ['characters outside ASCII', /[^\0-\x7f]/],
    ['a leading =', /^=/],
    ['a colon between two words', /^\S+:\S+$/],
  ];
  const found = marks.filter(([, mark]) => keys.some((key) => mark.test(key))).map(([name]) => name);
  return seen(
    `${plural(keys.length, 'key')}; ${found.length === 0 ? 'plain characters' : `some have ${found.join(', ')}`}`,
  );
};

/** U-54 */
export const futureValues = (evidence: Evidence): Finding => {
  const status = entriesOf(evidence).map((entry) => entry.status);
  const codes = detailsOf(evidence)
    .flatMap(({ order }) => itemsOf(order).flatMap(codesOf))
    .map((code) => code.code_typ);
  const isNew = (known: readonly string[]) => (value: unknown) => typeof value === 'string' && !known.includes(value);
  if (status.length + codes.length === 0) return unseen('no status and no code type was read');
  const found = [...status.filter(isNew(statuses)), ...codes.filter(isNew(codeTypes))];
  if (found.length === 0) return seen('none', { futureValues: 'off' });
  return seen(listWords(found, isPlainWord), { futureValues: 'on' });
};
