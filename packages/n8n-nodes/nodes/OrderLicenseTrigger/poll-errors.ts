import { isOrderLicenseError, type OrderLicenseError, RateLimitError } from '@order-license/core/portable';
import type { NodeError } from '../shared/errors';

/** Whether polling will fail until a user changes the key, the credential or the node. */
export const needsAPerson = (error: unknown): boolean =>
  !isOrderLicenseError(error) ||
  error.status === 401 ||
  error.status === 403 ||
  ['authentication', 'not_business_account', 'configuration', 'bad_request'].includes(error.code);

/** Whether this order or page may never be readable, so that it must not block others. */
export const isUnreadable = (error: unknown): error is OrderLicenseError =>
  isOrderLicenseError(error) &&
  error.status !== 401 &&
  error.status !== 403 &&
  ['not_found', 'invalid_response', 'bad_request'].includes(error.code);

/** Whether the service failed on this request; it may still answer others. */
export const isFailure = (error: unknown): error is OrderLicenseError =>
  isOrderLicenseError(error) && (error.code === 'server' || error.code === 'timeout');

/** Whether an order number is missing from the list, not in its expected place, or invalid. */
export const isUnfindable = (error: unknown): boolean =>
  isOrderLicenseError(error) && ['not_found', 'not_located', 'bad_request'].includes(error.code);

/** The error if no permit was granted in time. */
export const noPermit = (): RateLimitError => new RateLimitError('local', 60_000);

/**
 * Marks an error without a cause as temporary, so that n8n continues to poll. If a cause requires user action, n8n pauses
 * for half an hour; it infers such causes from some statuses.
 */
export const withPassingCause = (error: NodeError): NodeError =>
  Object.assign(error, { failure: error.failure ?? { cause: 'temporarily-unavailable' } });
