import type { Group } from '../ask/questions.ts';
import type { Evidence } from '../evidence.ts';
import type { Finding } from '../finding.ts';
import * as errors from './errors.ts';
import * as fields from './fields.ts';
import * as limit from './limit.ts';
import * as list from './list.ts';
import * as order from './order.ts';
import * as parameters from './parameters.ts';
import * as service from './service.ts';
import * as values from './values.ts';
import * as words from './words.ts';

/** One open point of docs/assumptions.md, and how a probe observes it. */
export interface Point {
  id: string;
  title: string;
  /** The questions that it needs; `never` if no question shows it. */
  needs: Group | 'never';
  read: (evidence: Evidence) => Finding;
}

const point = (id: string, title: string, needs: Group, read: Point['read']): Point => ({ id, title, needs, read });
const never = (id: string, title: string, why: string): Point => ({
  id,
  title,
  needs: 'never',
  read: () => ({ unseen: why }),
});

export const points: readonly Point[] = [
  point('U-01', 'page 0', 'malformed', parameters.pageZero),
  point('U-02', 'per_page 0, 51 and 50', 'reads', parameters.perPage),
  point('U-03', 'a page that is not a number', 'malformed', parameters.pageWord),
  point('U-04', 'a status that does not exist', 'malformed', parameters.statusFilter),
  point('U-05', 'a page after the last', 'reads', list.pageBeyondLast),
  point('U-06', 'pages of an empty list', 'reads', list.emptyPages),
  point('U-07', 'a parameter given twice', 'malformed', parameters.duplicateParams),
  point('U-08', 'an unknown parameter', 'malformed', parameters.unknownParams),
  point('U-09', 'order of equal dates', 'reads', list.tieBreak),
  point('U-10', 'changes while reading', 'reads', list.listChanges),
  point('U-11', 'total under a filter', 'reads', list.totalIgnoresFilter),
  point('U-12', 'license_codes of unpaid orders', 'reads', order.ineligibleCodes),
  point('U-13', 'codes of paid orders', 'reads', order.deliveredCodes),
  point('U-14', 'codes per unit', 'reads', order.codesPerItem),
  point('U-15', 'orders without items', 'reads', order.items),
  point('U-16', 'other fields of an order', 'reads', order.otherFields),
  point('U-17', 'billing_address', 'reads', order.billing),
  point('U-18', 'values of zahlungsstatus', 'reads', words.paymentWords),
  point('U-19', 'values of lieferstatus', 'reads', words.deliveryWords),
  point('U-20', 'list fields in an order', 'reads', order.summaryFields),
  point('U-21', 'status and zahlungsstatus', 'reads', order.statusPairs),
  point('U-22', 'form of amounts', 'reads', values.money),
  point('U-23', 'currencies', 'reads', values.currency),
  point('U-24', 'form of created_at', 'reads', values.dates),
  point('U-25', 'form of order IDs', 'reads', values.ids),
  point('U-26', 'IDs that are not numbers', 'malformed', parameters.invalidId),
  point('U-27', 'extra slashes', 'malformed', service.trailingSlash),
  point('U-28', 'an unknown path', 'malformed', service.unknownPath),
  point('U-29', 'HEAD, OPTIONS, web pages', 'reads', service.methods),
  never('U-30', 'a body on a GET', 'fetch sends no body with GET'),
  point('U-31', 'plain HTTP', 'reads', service.plainHttp),
  point('U-32', 'other Accept headers', 'malformed', service.accept),
  point('U-33', 'forms of Authorization', 'malformed', service.authScheme),
  point('U-34', 'WWW-Authenticate', 'malformed', service.wwwAuthenticate),
  point('U-35', 'precedence of errors', 'malformed', limit.precedence),
  point('U-36', 'which requests count', 'rateLimit', limit.counted),
  point('U-37', 'window of the limit', 'rateLimit', limit.windowModel),
  point('U-38', 'length of the window', 'reads', limit.windowLength),
  point('U-39', 'size of the limit', 'reads', limit.limitSize),
  point('U-40', 'rate-limit headers', 'reads', limit.rateHeaders),
  point('U-41', '429 or 503 from a proxy', 'reads', errors.gatewayErrors),
  point('U-42', 'language of errors', 'reads', errors.language),
  point('U-43', 'errors in other forms', 'reads', errors.otherErrors),
  point('U-44', 'status in the body', 'reads', errors.looseStatus),
  point('U-45', 'Content-Type', 'reads', service.contentType),
  point('U-46', 'missing company or VAT ID', 'reads', fields.emptyText),
  never('U-47', 'a company of only spaces', 'needs an account with neither a company nor a VAT ID'),
  never('U-48', 'an account that loses both', 'needs an account that changes during the probe'),
  point('U-49', 'causes of a 401', 'malformed', service.causeOf401),
  point('U-50', 'download URLs', 'reads', values.downloadUrls),
  point('U-51', 'form of license keys', 'reads', values.licenseKeys),
  point('U-52', 'aktivierungen_bestellung', 'reads', order.activations),
  point('U-53', 'menge', 'reads', order.quantity),
  point('U-54', 'values of later versions', 'reads', values.futureValues),
  point('U-55', 'ETag', 'reads', service.caching),
  point('U-56', 'compression', 'reads', service.compression),
  point('U-57', 'how long connections stay open', 'reads', service.keepAlive),
  point('U-58', 'server errors', 'reads', errors.serverErrors),
  point('U-59', 'null and missing fields', 'reads', fields.absentFields),
  point('U-60', 'size of the account', 'reads', list.accountSize),
  point('U-61', 'certificate', 'reads', service.certificate),
  point('U-62', 'Date header', 'reads', service.dateHeader),
  point('U-63', 'date that sorts the list', 'reads', list.sortDate),
];
