import { isOrderLicenseError, type OrderLicenseError, RateLimitError } from '@order-license/core/portable';
import type { NodeError } from '../shared/errors';

/** Whether polling again does not help until somebody has changed the key, the credential or the node. */
export const needsAPerson = (error: unknown): boolean =>
  !isOrderLicenseError(error) ||
  error.status === 401 ||
  error.status === 403 ||
  ['authentication', 'not_business_account', 'configuration', 'bad_request'].includes(error.code);

/** Whether this one order or page cannot be read, now or later, so that it must not hold up the others. */
export const isUnreadable = (error: unknown): error is OrderLicenseError =>
  isOrderLicenseError(error) &&
  error.status !== 401 &&
  error.status !== 403 &&
  ['not_found', 'invalid_response', 'bad_request'].includes(error.code);

/** Whether the service failed at this request, although it may answer others. */
export const isFailure = (error: unknown): error is OrderLicenseError =>
  isOrderLicenseError(error) && (error.code === 'server' || error.code === 'timeout');

/** Whether an order number is not in the list, not at its place there, or none. */
export const isUnfindable = (error: unknown): boolean =>
  isOrderLicenseError(error) && ['not_found', 'not_located', 'bad_request'].includes(error.code);

/** No permit came in time. */
export const noPermit = (): RateLimitError => new RateLimitError('local', 60_000);

/**
 * Gives an error a cause that n8n takes for passing unless it has one: then n8n goes on polling. It stays away for half an
 * hour after causes that a person has to act on, and takes some statuses for those.
 */
export const withPassingCause = (error: NodeError): NodeError =>
  Object.assign(error, { failure: error.failure ?? { cause: 'temporarily-unavailable' } });
