import { fieldPaths } from './field-paths.ts';
import { choice, limit, list, number, text } from './kinds.ts';

/**
 * All settings: the open points that each one answers, and its values, the default first. The command line, the control
 * API and the types are derived from this table; tests compare the docs with it.
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
  unknownStatus: choice('U-04', ['reject', 'ignore', 'empty'], 'An unknown status: 400, no filter, or no orders.'),
  emptyStatus: choice('U-04', ['reject', 'ignore'], 'An empty status: 400, or no filter.'),
  pageBeyondLast: choice(
    'U-05',
    ['empty', '404', '400', 'clamp'],
    'A page past the last: no orders, an error, or the last page again.',
  ),
  emptyPages: choice('U-06', ['0', '1'], 'pagination.pages of an empty list.'),
  duplicateParams: choice(
    'U-07',
    ['last', 'first', 'reject'],
    'A query parameter given twice: which one counts, or 400.',
  ),
  unknownParams: choice('U-08', ['ignore', 'reject'], 'An undocumented query parameter: ignored, or 400.'),
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
  deliveredCodes: choice(
    'U-13',
    ['seeded', 'none', 'partial'],
    'Delivered codes: as seeded, none, or half of each order.',
  ),
  items: choice('U-15', ['seeded', 'empty'], 'Items of an order: as seeded, or none.'),
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
    'Payment statuses for open, paid and refunded; the word null stands for null.',
  ),
  lieferstatus: list(
    'U-19',
    ['offen', 'teilgeliefert', 'geliefert'],
    'Delivery statuses for none, some and all delivered; the word null stands for null.',
  ),
  money: choice(
    'U-22',
    ['string', 'number', 'oneDigit', 'integer', 'comma', 'dotComma', 'negative', 'null'],
    'Amounts: "1234.50", 1234.5, "1234.5", "1234", "1234,50", "1.234,50", "-1234.50" or null.',
  ),
  currency: choice('U-23', ['mixed', 'EUR', 'JPY'], 'Currencies: EUR with some USD, or only one.'),
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
  trailingSlash: choice(
    'U-27',
    ['404', 'accept', 'redirect'],
    'An extra slash in the path: 404, ignored, or 301 to the path without it.',
  ),
  unknownPath: choice('U-28', ['json', 'html'], 'An unknown path: 404 with the envelope, or as an HTML page.'),
  cors: choice('U-29', ['off', 'on'], 'Whether to send CORS headers and answer OPTIONS.'),
  head: choice('U-29', ['off', 'on'], 'Whether to answer HEAD like GET, without a body.'),
  bodyOnGet: choice(
    'U-30',
    ['ignore', 'reject'],
    'A request body: ignored, or 400. The journal records a violation either way.',
  ),
  httpsOnly: choice(
    'U-31',
    ['off', 'redirect', 'refuse'],
    'Plain HTTP: served, redirected to https: with 308, or refused with 403.',
  ),
  accept: choice('U-32', ['ignore', '406', 'html'], 'A missing or other Accept header: ignored, 406, or an HTML page.'),
  authScheme: choice('U-33', ['insensitive', 'exact'], 'The case of "Bearer": any, or exactly this one.'),
  wwwAuthenticate: choice('U-34', ['off', 'on'], 'Whether a 401 has the header WWW-Authenticate.'),
  order: list(
    'U-35',
    ['auth', 'business', 'limit', 'path', 'params'],
    'The sequence of the checks; the order is looked up last. auth must come before business and limit.',
    ['auth', 'business', 'limit', 'path', 'params'],
  ),
  count: choice(
    'U-36',
    ['recognised', 'successes', 'exceptForbidden'],
    'Requests that count: all with an active key, only those answered 200, or all but 403.',
  ),
  window: choice(
    'U-37',
    ['lockout', 'fixed', 'minute', 'sliding', 'slidingStrict', 'bucket', 'extend'],
    'When requests pass again after the limit; lockout follows the API docs literally.',
  ),
  windowMs: number('U-38', 60_000, [1, 86_400_000], 'Length of the window in ms.'),
  limit: limit('U-39', 60, [1, 1_000_000], 'Requests per window and key, or off.'),
  rateHeaders: choice(
    'U-40',
    ['none', 'retryAfter', 'retryAfterDate', 'x', 'draft'],
    'Rate-limit headers: none, Retry-After in seconds or as a date, X-RateLimit-*, or RateLimit.',
  ),
  lang: choice('U-42', ['en', 'de'], 'Language of error texts.'),
  errorText: text('U-42', '', 'One text for every error; empty for the built-in texts.'),
  looseStatus: choice(
    'U-44',
    ['integer', 'string', 'missing'],
    'status in the body: an integer, a string, or missing.',
  ),
  contentType: choice(
    'U-45',
    ['utf8', 'bare', 'html'],
    'Content-Type of JSON answers: with charset, without, or text/html.',
  ),
  emptyText: choice(
    'U-46',
    ['empty', 'null', 'absent'],
    'A company or VAT ID that the account does not have: an empty string, null, or absent.',
  ),
  blankCompany: choice(
    'U-47',
    ['trimmed', 'counts'],
    'A company of only spaces: empty, or enough for a business account.',
  ),
  downloadUrls: choice(
    'U-50',
    ['https', 'relative', 'http', 'expiring', 'empty'],
    'Download URLs: absolute, relative, http:, signed with an expiry, or an empty string.',
  ),
  serveDownloads: choice('U-50', ['off', 'on'], 'Whether download URLs point to the mock, which serves a small file.'),
  activations: choice(
    'U-52',
    ['normal', 'zero', 'negative', 'null', 'huge'],
    'aktivierungen_bestellung: as seeded, 0, -1, null or 2147483648.',
  ),
  quantity: choice('U-53', ['normal', 'zero', 'negative'], 'menge: as seeded, 0, or negative.'),
  futureValues: choice(
    'U-54',
    ['off', 'on'],
    'Whether some pending orders have a status, and some codes a type, that v1 does not have; filters use the old value.',
  ),
  caching: choice('U-55', ['none', 'etag'], 'No ETag, or ETag headers and 304 for If-None-Match.'),
  compress: choice('U-56', ['off', 'gzip', 'br'], 'Compression if Accept-Encoding allows it; only with listen().'),
  keepAliveMs: number(
    'U-57',
    5_000,
    [0, 600_000],
    'Idle time in ms after which listen() closes a connection; 0 closes it after each answer.',
  ),
  missing: list('U-59', [], 'Documented fields to leave out, by path.', fieldPaths),
  nulls: list('U-59', [], 'Documented fields to set to null, by path.', fieldPaths),
  dateHeader: choice('U-62', ['off', 'on'], "Whether answers have the Date header, from the mock's clock."),
  sortDate: choice(
    'U-63',
    ['created', 'other'],
    'The list is sorted by created_at, or by another date that no field shows.',
  ),
};

type Values = typeof settingDefinitions;
export type SettingName = keyof Values;
/** A value for each setting. */
export type Settings = { [Name in SettingName]: Values[Name]['default'] };
