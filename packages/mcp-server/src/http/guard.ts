import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { checkApiKey, isOrderLicenseError } from '@order-license/core/portable';
import type { HttpOptions } from './options.ts';

/** A request that is turned away before anything is read of its body. */
export interface Refusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

export interface Pass {
  /** The caller's own API key, or the server's. */
  apiKey: string;
}

/**
 * Whether a request may go on. Host and Origin are checked against DNS rebinding, the Authorization header against
 * the token of this server. It belongs to this server alone, so the API key of a caller has a header of its own.
 */
export const admit = ({ headers }: IncomingMessage, options: HttpOptions): Refusal | Pass => {
  const host = hostName(headers.host);
  if (host === undefined || !options.allowedHosts.includes(host)) {
    return {
      status: 403,
      message: 'The Host header is not allowed; start the server with --allow-host for that name.',
    };
  }
  if (headers.origin !== undefined && !isAllowedOrigin(headers.origin, options)) {
    return { status: 403, message: 'The Origin is not allowed; start the server with --allow-origin for that origin.' };
  }
  if (options.accessToken && !isEqual(readBearer(headers.authorization), options.accessToken)) {
    return {
      status: 401,
      message: 'The access token is missing or wrong; send it as Authorization: Bearer.',
      headers: { 'www-authenticate': 'Bearer realm="order-license-mcp"' },
    };
  }
  const ownKey = headers['x-order-license-key'];
  if (ownKey === undefined) {
    if (options.apiKey) return { apiKey: options.apiKey };
    return { status: 403, message: 'This server has no API key of its own; send yours as X-Order-License-Key.' };
  }
  try {
    return { apiKey: checkApiKey(ownKey) };
  } catch (error) {
    if (isOrderLicenseError(error)) return { status: 400, message: `X-Order-License-Key: ${error.message}` };
    throw error;
  }
};

/** Pages of this machine, and those that were named. */
export const isAllowedOrigin = (origin: string, { allowedOrigins }: Pick<HttpOptions, 'allowedOrigins'>): boolean =>
  allowedOrigins.includes(origin) || /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin);

const hostName = (header: string | undefined): string | undefined =>
  /^(\[[^\]]+\]|[^:]+)(:\d+)?$/.exec(header?.toLowerCase() ?? '')?.[1];

const readBearer = (header: string | undefined): string => /^Bearer +(.*)$/i.exec(header ?? '')?.[1] ?? '';

/** Takes the same time wherever the two differ. */
const isEqual = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
