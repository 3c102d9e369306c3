import { fieldPaths } from './field-paths.ts';
import { choice, list, number, text } from './kinds.ts';

/**
 * All settings. Each has the open questions that it decides, and its values, the default first. The command line, the
 * control API and the types are derived from this table; tests compare the docs with it.
 */
export const settingDefinitions = {
  params: choice(
    'U-01 U-02 U-03',
    ['reject', 'clamp', 'default'],
    'A page or per_page out of range or not a plain number: 400, coerced into range, or replaced by its default.',
  ),
  perPageMax: number(
    'U-02',
    50,
    [1, 50],
    'A larger per_page is lowered to this; pagination.per_page shows the value used.',
  ),
  unknownStatus: choice(
    'U-04',
    ['reject', 'ignore', 'empty'],
    'An unknown or empty status: 400, no filter, or no orders.',
  ),
  pageBeyondLast: choice(
    'U-05',
    ['empty', '404', '400', 'clamp'],
    'A page past the last: no orders, an error, or the last page again.',
  ),
  emptyPages: choice('U-06', ['0', '1'], 'pagination.pages of an empty list.'),
  tieBreak: choice(
    'U-09',
    ['idDesc', 'idAsc', 'shuffle'],
    'Order of entries with the same date; shuffle changes it at every request.',
  ),
  totalIgnoresFilter: choice(
    'U-11',
    ['off', 'on'],
    'Whether pagination.total and pages ignore the filter and count all orders.',
  ),
  ineligibleCodes: choice(
    'U-12',
    ['empty', 'absent', 'null'],
    'license_codes of an order that is neither paid nor completed.',
  ),
  extraFields: choice(
    'U-16 U-20',
    ['none', 'summary', 'unknown'],
    'Additional fields of the order detail: none, those of the list entry, or undocumented ones.',
  ),
  billing: choice(
    'U-17',
    ['sample', 'german', 'emptyObject', 'emptyArray', 'null'],
    'The billing address. Its inner fields are invented: the API docs show none.',
  ),
  zahlungsstatus: list(
    'U-18',
    ['offen', 'bezahlt', 'erstattet'],
    'Payment statuses for open, paid and refunded orders; write null for null.',
  ),
  lieferstatus: list(
    'U-19',
    ['offen', 'teilgeliefert', 'geliefert'],
    'Delivery statuses for orders with no, some or all items delivered; write null for null.',
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
    'Order ids: safe integers, integers above 2^53, strings, or negative.',
  ),
  invalidId: choice(
    'U-26',
    ['400', '404', 'coerce'],
    'An order id in the path that is not an integer: an error, or its leading digits.',
  ),
  unknownPath: choice('U-28', ['json', 'html'], 'An unknown path: 404 with the envelope, or as an HTML page.'),
  httpsOnly: choice(
    'U-31',
    ['off', 'redirect', 'reject'],
    'Plain HTTP: served, redirected to https: with 308, or rejected with 403.',
  ),
  accept: choice('U-32', ['ignore', '406', 'html'], 'A missing or other Accept header: ignored, 406, or an HTML page.'),
  authScheme: choice('U-33', ['insensitive', 'exact'], 'The case of "Bearer": any, or exactly this one.'),
  window: choice(
    'U-37',
    ['lockout', 'fixed', 'minute', 'sliding', 'slidingStrict', 'bucket', 'extend'],
    'When requests are accepted again after the limit is reached; lockout follows the API docs literally.',
  ),
  windowMs: number('U-38', 60_000, [1, 86_400_000], 'Length of the window in ms.'),
  limit: number('U-39', 60, [1, 1_000_000, 'off'], 'Requests per window and key, or off.'),
  rateHeaders: choice(
    'U-40',
    ['none', 'retryAfter', 'retryAfterDate', 'x', 'draft'],
    'Rate-limit headers: none, Retry-After in seconds or as a date, X-RateLimit-*, or RateLimit.',
  ),
  errorText: text('U-42', '', 'One text for every error; empty for the built-in texts.'),
  looseStatus: choice(
    'U-44',
    ['integer', 'string', 'missing'],
    'status in the body: an integer, a string, or missing.',
  ),
  contentType: choice(
    'U-45',
    ['utf8', 'bare', 'html'],
    'Content-Type of JSON responses: with charset, without, or text/html.',
  ),
  emptyText: choice(
    'U-46',
    ['empty', 'null', 'absent'],
    'A company or VAT ID that the account does not have: an empty string, null, or absent.',
  ),
  downloadUrls: choice(
    'U-50',
    ['https', 'relative', 'http', 'expiring', 'empty'],
    'Download URLs: absolute, relative, http:, signed with an expiry, or an empty string.',
  ),
  futureValues: choice(
    'U-54',
    ['off', 'on'],
    'Whether some pending orders have a status, and some codes a type, that v1 does not have; filters use the old value.',
  ),
  compress: choice('U-56', ['off', 'gzip', 'br'], 'Compression if Accept-Encoding allows it; only with listen().'),
  missing: list('U-59', [], 'Documented fields to leave out, by path.', fieldPaths),
  nulls: list('U-59', [], 'Documented fields to set to null, by path.', fieldPaths),
  sortDate: choice(
    'U-63',
    ['created', 'other'],
    'The list is sorted by created_at, or by another date that no field shows.',
  ),
};

type Values = typeof settingDefinitions;
export type SettingName = keyof Values;
/** The value of each setting. */
export type Settings = { [Name in SettingName]: Values[Name]['default'] };
