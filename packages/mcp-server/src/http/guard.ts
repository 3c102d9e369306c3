import type { IncomingMessage } from 'node:http';
import type { Rejection } from '../auth/rejection.ts';
import { quote } from '../log/quote.ts';
import { isAllowedOrigin } from './cors.ts';
import type { HttpOptions } from './options.ts';

/**
 * Why a request is refused, whoever calls; undefined if it isn't. Host and Origin are checked against DNS rebinding.
 * Without a token or sign-in, proxies are refused, because other machines may be behind them.
 */
export const findRejection = ({ headers }: IncomingMessage, options: HttpOptions): Rejection | undefined => {
  const host = hostName(headers.host);
  if (host === undefined) return { status: 400, message: 'The Host header must be a name, and a port up to 65535.' };
  if (!options.allowedHosts.includes(host)) {
    return {
      status: 403,
      message: 'The Host header is not allowed; start the server with --allow-host for that name.',
      found: `Host ${quote(headers.host)}`,
    };
  }
  if (headers.origin !== undefined && !isAllowedOrigin(headers.origin, options)) {
    return {
      status: 403,
      message: 'The Origin is not allowed; start the server with --allow-origin for that origin.',
      found: `Origin ${quote(headers.origin)}`,
    };
  }
  const isOpen = options.accessToken === undefined && options.signInFile === undefined;
  if (isOpen && Object.keys(headers).some(isForwarding)) {
    return {
      status: 403,
      message:
        'The request came through a proxy, and this server has no access token; set ORDER_LICENSE_ACCESS_TOKEN and send it as Authorization: Bearer, or set up sign-in.',
    };
  }
  return undefined;
};

/** What proxies and tunnels add; Node has the names in lower case. */
const isForwarding = (header: string): boolean => /^(forwarded|via|x-real-ip|x-forwarded-.*)$/.test(header);

/** The name without the port; undefined for an invalid host. */
const hostName = (header = ''): string | undefined =>
  URL.canParse(`http://${header}`) ? /^(\[[^\]]+\]|[^:]+)(:\d+)?$/.exec(header.toLowerCase())?.[1] : undefined;
