import type { OrderLicenseError } from '@order-license/core/portable';

/** When to call again, in whole seconds, if the error says so. */
export const retryAfter = ({ retryAfterMs }: OrderLicenseError): { retry_after_seconds?: number } =>
  retryAfterMs === undefined ? {} : { retry_after_seconds: Math.ceil(retryAfterMs / 1000) };
