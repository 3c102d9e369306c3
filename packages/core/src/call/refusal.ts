import { isOrderLicenseError } from '../base/errors.ts';

/** True if the API rejected a page or a page size (400) or has no such page (404). */
export const isRefusal = (error: unknown): boolean =>
  isOrderLicenseError(error) && (error.status === 404 || error.status === 400);
