import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { checkApiKey } from '@order-license/core/host';
import { isOrderLicenseError } from '@order-license/core/portable';
import { isAllowedOrigin } from './cors.ts';
import type { HttpOptions } from './options.ts';
import type { Rejection } from './rejection.ts';

/** Where a caller's own API key comes: Authorization belongs to this server alone. */
export const apiKeyHeader = 'x-order-license-key';

/**
 * Why a request may not go on, or undefined. Host and Origin are checked against DNS rebinding, Authorization against
 * the token of this server, and then there has to be an API key, the caller's or the server's. Without a token nobody
 * may come through a proxy, since behind one stand other machines.
 */
export const findRejection = ({ headers }: IncomingMessage, options: HttpOptions): Rejection | undefined => {
  const host = hostName(headers.host);
  if (host === undefined) return { status: 400, message: 'The Host header has to be a name, and a port up to 65535.' };
  if (!options.allowedHosts.includes(host)) {
    return {
      status: 403,
      message: 'The Host header is not allowed; start the server with --allow-host for that name.',
    };
  }
  if (headers.origin !== undefined && !isAllowedOrigin(headers.origin, options)) {
    return { status: 403, message: 'The Origin is not allowed; start the server with --allow-origin for that origin.' };
  }
  if (!options.accessToken && Object.keys(headers).some(isForwarding)) {
    return {
      status: 403,
      message:
        'The request came through a proxy, and this server has no access token; set ORDER_LICENSE_ACCESS_TOKEN and send it as Authorization: Bearer.',
    };
  }
  if (options.accessToken && !isEqual(readBearer(headers.authorization), options.accessToken)) {
    return {
      status: 401,
      message: 'The access token is missing or wrong; send it as Authorization: Bearer.',
      headers: { 'www-authenticate': 'Bearer realm="order-license-mcp"' },
    };
  }
  const ownKey = headers[apiKeyHeader];
  if (ownKey === undefined) {
    if (options.apiKey !== undefined) return undefined;
    return { status: 403, message: 'This server has no API key of its own; send yours as X-Order-License-Key.' };
  }
  try {
    checkApiKey(ownKey);
    return undefined;
  } catch (error) {
    if (isOrderLicenseError(error)) return { status: 400, message: `X-Order-License-Key: ${error.message}` };
    throw error;
  }
};

/** What proxies and tunnels add; Node has the names in lower case. */
const isForwarding = (header: string): boolean => /^(forwarded|via|x-real-ip|x-forwarded-.*)$/.test(header);

/** The name without the port; undefined for what no address can hold. */
const hostName = (header = ''): string | undefined =>
  URL.canParse(`http://${header}`) ? /^(\[[^\]]+\]|[^:]+)(:\d+)?$/.exec(header.toLowerCase())?.[1] : undefined;

const readBearer = (header: string | undefined): string => /^Bearer +(.*)$/i.exec(header ?? '')?.[1] ?? '';

/** Takes the same time wherever the two differ. */
const isEqual = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
