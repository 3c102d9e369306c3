import { fieldPaths } from './field-paths.ts';
import { choice, list, number, text } from './kinds.ts';

/**
 * All settings. Each entry has the open questions that the setting decides, its values (the default first) and a
 * description. The command line, the control API and the types are derived from this table; tests compare the docs with
 * it.
 */
export const settingDefinitions = {
  params: choice(
    'U-01 U-02 U-03',
    ['reject', 'clamp', 'default'],
    'A page or per_page that is out of range or not a plain number: 400, coerced into range, or replaced by its default.',
  ),
  perPageMax: number(
    'U-02',
    50,
    [1, 50],
    'A larger per_page is lowered to this value; pagination.per_page shows the value used.',
  ),
  unknownStatus: choice(
    'U-04',
    ['reject', 'ignore', 'empty'],
    'An unknown or empty status: 400, all orders, or no orders.',
  ),
  pageBeyondLast: choice(
    'U-05',
    ['empty', '404', '400', 'clamp'],
    'A page past the last one: no orders, 404, 400, or the last page again.',
  ),
  emptyPages: choice('U-06', ['0', '1'], 'The value of pagination.pages in an empty list.'),
  tieBreak: choice(
    'U-09',
    ['idDesc', 'idAsc', 'shuffle'],
    'Orders with the same date: sorted by descending ID, by ascending ID, or differently for every request.',
  ),
  totalIgnoresFilter: choice(
    'U-11',
    ['off', 'on'],
    'Whether pagination.total and pagination.pages ignore the filter and count all orders.',
  ),
  ineligibleCodes: choice(
    'U-12',
    ['empty', 'absent', 'null'],
    'The license_codes of an order that is neither paid nor completed: an empty list, absent, or null.',
  ),
  extraFields: choice(
    'U-16 U-20',
    ['none', 'summary', 'unknown'],
    'Additional fields in the order detail: none, those of the list entry, or undocumented ones.',
  ),
  billing: choice(
    'U-17',
    ['sample', 'german', 'emptyObject', 'emptyArray', 'null'],
    'The billing address: with invented English field names, with invented German ones, an empty object, an empty array, or null.',
  ),
  zahlungsstatus: list(
    'U-18',
    ['offen', 'bezahlt', 'erstattet'],
    'Payment statuses for open, paid and refunded orders; the word null stands for the value null.',
  ),
  lieferstatus: list(
    'U-19',
    ['offen', 'teilgeliefert', 'geliefert'],
    'Delivery statuses for orders that are not, partly or completely delivered; the word null stands for the value null.',
  ),
  money: choice(
    'U-22',
    ['string', 'number', 'oneDigit', 'integer', 'comma', 'dotComma', 'negative', 'null'],
    'Amounts: "1234.50", 1234.5, "1234.5", "1234", "1234,50", "1.234,50", "-1234.50" or null.',
  ),
  dates: choice(
    'U-24',
    ['ok', 'zero', 'null', 'iso'],
    'created_at: as documented, 0000-00-00 00:00:00, null, or ISO 8601 with T and Z.',
  ),
  ids: choice(
    'U-25',
    ['safe', 'big', 'string', 'negative'],
    'Order IDs: safe integers, integers above 2^53, strings, or negative integers.',
  ),
  invalidId: choice(
    'U-26',
    ['400', '404', 'coerce'],
    'An order ID in the path that is not an integer: 400, 404, or read by its leading digits.',
  ),
  unknownPath: choice(
    'U-28',
    ['json', 'html'],
    "An unknown path: 404 in the API's JSON error format, or 404 as an HTML page.",
  ),
  httpsOnly: choice(
    'U-31',
    ['off', 'redirect', 'reject'],
    'Plain HTTP requests: served, redirected to HTTPS with 308, or rejected with 403.',
  ),
  accept: choice(
    'U-32',
    ['ignore', '406', 'html'],
    'An Accept header that is missing or excludes JSON: ignored, 406, or an HTML page.',
  ),
  authScheme: choice(
    'U-33',
    ['insensitive', 'exact'],
    'Upper and lower case in the word "Bearer" of the Authorization header: ignored, or must match exactly.',
  ),
  window: choice(
    'U-37',
    ['lockout', 'fixed', 'minute', 'sliding', 'slidingStrict', 'bucket', 'extend'],
    'When a key that has exceeded the limit is accepted again: lockout = one window later (as in the API docs); fixed = when its window ends; minute = when the minute of the clock ends; sliding = when its oldest accepted request is one window old; slidingStrict = the same, but rejected requests count, too; bucket = when its token bucket has a token again; extend = after one window without requests.',
  ),
  windowMs: number('U-38', 60_000, [1, 86_400_000], 'Length of the window in ms.'),
  limit: number('U-39', 60, [1, 1_000_000, 'off'], 'Requests per window for each API key, or off.'),
  rateHeaders: choice(
    'U-40',
    ['none', 'retryAfter', 'retryAfterDate', 'x', 'draft'],
    'Rate-limit headers: none, Retry-After in seconds, Retry-After as a date, X-RateLimit-*, or RateLimit.',
  ),
  errorText: text('U-42', '', 'The text of every error; if empty, each error has its built-in text.'),
  looseStatus: choice(
    'U-44',
    ['integer', 'string', 'missing'],
    'The status in the body: an integer, a string, or missing.',
  ),
  contentType: choice(
    'U-45',
    ['utf8', 'bare', 'html'],
    'The Content-Type of JSON responses: with a charset, without one, or text/html.',
  ),
  emptyText: choice(
    'U-46',
    ['empty', 'null', 'absent'],
    'A company or VAT ID that the account does not have: an empty string, null, or absent.',
  ),
  downloadUrls: choice(
    'U-50',
    ['https', 'relative', 'http', 'expiring', 'empty'],
    'Download URLs: with https:, relative, with http:, signed with an expiry time, or an empty string.',
  ),
  futureValues: choice(
    'U-54',
    ['off', 'on'],
    'Whether some pending orders have a status, and some license codes a type, that the API docs do not define; the filter status=ausstehend still finds these orders.',
  ),
  compress: choice('U-56', ['off', 'gzip', 'br'], 'Compression of HTTP responses if Accept-Encoding allows it.'),
  missing: list('U-59', [], 'Documented fields to omit, given as paths such as items[].menge.', fieldPaths),
  nulls: list('U-59', [], 'Documented fields to set to null, given as paths such as items[].menge.', fieldPaths),
  sortDate: choice(
    'U-63',
    ['created', 'other'],
    'The date that the list is sorted by: created_at, or a date that no field shows.',
  ),
};

type Values = typeof settingDefinitions;
export type SettingName = keyof Values;
export type Settings = { [Name in SettingName]: Values[Name]['default'] };
