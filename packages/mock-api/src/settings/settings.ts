import { fieldPaths } from './field-paths.ts';
import { choice, limit, list, number, text } from './kinds.ts';

/**
 * The one table of everything that the API docs leave open: the values of each setting, the default first.
 * The command line, the control API, the types, the tests and the README all come from here.
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
    'A larger per_page is silently lowered to this; pagination.per_page says so.',
  ),
  unknownStatus: choice(
    'U-04',
    ['reject', 'ignore', 'empty'],
    'A status that is none of the four: 400, no filter, or no orders.',
  ),
  emptyStatus: choice('U-04', ['reject', 'ignore'], 'An empty status: 400, or no filter.'),
  pageBeyondLast: choice(
    'U-05',
    ['empty', '404', '400', 'clamp'],
    'A page past the last: no orders, an error, or the last page again.',
  ),
  emptyPages: choice('U-06', ['0', '1'], 'pagination.pages of a list without orders.'),
  duplicateParams: choice(
    'U-07',
    ['last', 'first', 'reject'],
    'A query parameter given twice: which one counts, or 400.',
  ),
  unknownParams: choice('U-08', ['ignore', 'reject'], 'A query parameter that the API docs do not have.'),
  tieBreak: choice(
    'U-09',
    ['idDesc', 'idAsc', 'shuffle'],
    'Order of entries with the same date; shuffle is another one at every request.',
  ),
  totalIgnoresFilter: choice(
    'U-11',
    ['off', 'on'],
    'pagination.total and pages count all orders, whatever the filter.',
  ),
  ineligibleCodes: choice(
    'U-12',
    ['empty', 'absent', 'null'],
    'license_codes of an order that is neither paid nor completed.',
  ),
  deliveredCodes: choice(
    'U-13',
    ['seeded', 'none', 'partial'],
    'Codes that are there: as seeded, none yet, or half of each order.',
  ),
  items: choice('U-15', ['seeded', 'empty'], 'The positions of an order.'),
  extraFields: choice(
    'U-16 U-20',
    ['none', 'summary', 'unknown'],
    'Further fields of the order detail: none, those of the summary, or unheard-of ones.',
  ),
  billing: choice(
    'U-17',
    ['sample', 'german', 'emptyObject', 'emptyArray', 'null'],
    'The billing address. Its inner fields are invented: the API docs show none.',
  ),
  zahlungsstatus: list(
    'U-18',
    ['offen', 'bezahlt', 'erstattet'],
    'Payment statuses for open, paid and refunded; the word null gives null.',
  ),
  lieferstatus: list(
    'U-19',
    ['offen', 'teilgeliefert', 'geliefert'],
    'Delivery statuses for none, some and all delivered; the word null gives null.',
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
    'created_at: as stated, 0000-00-00 00:00:00, null, or ISO 8601 with T and Z.',
  ),
  ids: choice(
    'U-25',
    ['safe', 'big', 'string', 'negative'],
    'Order ids: safe integers, integers above 2^53, strings, or below zero.',
  ),
  invalidId: choice(
    'U-26',
    ['400', '404', 'coerce'],
    'An order id in the path that is not an integer: an error, or its leading digits.',
  ),
  trailingSlash: choice(
    'U-27',
    ['404', 'accept', 'redirect'],
    'A slash too many in the path: not found, ignored, or 301 to the path without it.',
  ),
  unknownPath: choice(
    'U-28',
    ['json', 'html'],
    'A path that does not exist: 404 with the envelope or as an HTML page.',
  ),
  cors: choice('U-29', ['off', 'on'], 'Cross-origin headers for browsers, and OPTIONS answered.'),
  head: choice('U-29', ['off', 'on'], 'HEAD answered like GET without a body.'),
  bodyOnGet: choice('U-30', ['ignore', 'reject'], 'A request body: ignored, or 400. The journal marks it either way.'),
  httpsOnly: choice(
    'U-31',
    ['off', 'redirect', 'refuse'],
    'Plain HTTP: served, sent to https: with 308, or refused with 403.',
  ),
  accept: choice('U-32', ['ignore', '406', 'html'], 'A missing or other Accept header: ignored, 406, or an HTML page.'),
  authScheme: choice('U-33', ['insensitive', 'exact'], 'Whether "bearer" in other letter case is accepted.'),
  wwwAuthenticate: choice('U-34', ['off', 'on'], 'The WWW-Authenticate header on 401.'),
  order: list(
    'U-35',
    ['auth', 'business', 'limit', 'path', 'params'],
    'Which check comes first; the order itself is looked up last. business and limit need auth before them.',
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
    'When the limit lets requests through again; lockout is the API docs to the letter.',
  ),
  windowMs: number('U-38', 60_000, [1, 86_400_000], 'Length of the window in ms.'),
  limit: limit('U-39', 60, [1, 1_000_000], 'Requests in a window for one key, or off.'),
  rateHeaders: choice(
    'U-40',
    ['none', 'retryAfter', 'retryAfterDate', 'x', 'draft'],
    'Headers that tell the rate limit: none, Retry-After in seconds or as a date, X-RateLimit-*, or RateLimit.',
  ),
  lang: choice('U-42', ['en', 'de'], 'Language of error texts.'),
  errorText: text('U-42', '', 'One text for every error; the built-in ones when empty.'),
  looseStatus: choice('U-44', ['integer', 'string', 'missing'], 'status in the body.'),
  contentType: choice(
    'U-45',
    ['utf8', 'bare', 'html'],
    'Content-Type of JSON answers: with charset, without, or text/html.',
  ),
  emptyText: choice('U-46', ['empty', 'null', 'absent'], 'A company or VAT ID that the account does not have.'),
  blankCompany: choice('U-47', ['trimmed', 'counts'], 'Whether a company of blanks alone makes a business account.'),
  downloadUrls: choice(
    'U-50',
    ['https', 'relative', 'http', 'expiring', 'empty'],
    'Download URLs that are there: absolute, relative, http:, signed with an expiry, or an empty string.',
  ),
  serveDownloads: choice('U-50', ['off', 'on'], 'Download URLs point to the mock, which serves a small file.'),
  activations: choice(
    'U-52',
    ['normal', 'zero', 'negative', 'null', 'huge'],
    'aktivierungen_bestellung: as seeded, 0, -1, null or 2147483648.',
  ),
  quantity: choice('U-53', ['normal', 'zero', 'negative'], 'menge: as seeded, 0, or below zero.'),
  futureValues: choice(
    'U-54',
    ['off', 'on'],
    'Some pending orders carry a status, some codes a type, that v1 does not have; filters know the old value.',
  ),
  caching: choice('U-55', ['none', 'etag'], 'ETag headers, and 304 for If-None-Match.'),
  compress: choice('U-56', ['off', 'gzip', 'br'], 'Compression where Accept-Encoding allows it; the HTTP server only.'),
  keepAliveMs: number(
    'U-57',
    5_000,
    [0, 600_000],
    'Idle time in ms after which the HTTP server closes a connection; 0 closes after each answer.',
  ),
  missing: list('U-59', [], 'Stated fields that are left out, by path.', fieldPaths),
  nulls: list('U-59', [], 'Stated fields that are null, by path.', fieldPaths),
  dateHeader: choice('U-62', ['off', 'on'], "The Date header, from the mock's clock."),
  sortDate: choice(
    'U-63',
    ['created', 'other'],
    'The list is sorted by created_at, or by another date that no field shows.',
  ),
};

type Values = typeof settingDefinitions;
export type SettingName = keyof Values;
/** One value for each setting. */
export type Settings = { [Name in SettingName]: Values[Name]['default'] };
