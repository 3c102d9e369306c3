import type { IncomingMessage } from 'node:http';
import { Rejection } from '../auth/rejection.ts';
import { quote } from '../log/quote.ts';
import type { HttpOptions } from './options.ts';

/** Maximum length of a request's headers, bytes: an access token can name hundreds of groups. */
export const maxHeaderBytes = 32 * 1024;

/**
 * Checks the length of the headers and, to prevent DNS rebinding, also Host and Origin. Without a token or sign-in,
 * rejects requests through proxies, because other machines may be behind them.
 * @throws Rejection
 */
export const checkHeaders = ({ headers, rawHeaders }: IncomingMessage, options: HttpOptions): void => {
  if (rawHeaders.join('').length > maxHeaderBytes) {
    const message = `The headers are longer than ${maxHeaderBytes / 1024} KiB; use an access token with fewer claims, such as groups.`;
    throw new Rejection(431, message);
  }
  const { host = '', origin } = headers;
  const [, name = ''] = /^(\[[^\]]+\]|[^:]+?)\.?(:\d+)?$/.exec(host.toLowerCase()) ?? [];
  if (!URL.canParse(`http://${host}`) || !options.allowedHosts.includes(name)) {
    const message =
      'The host name in the Host header is not allowed; to allow it, start the server with --allow-host NAME.';
    throw new Rejection(403, message, { found: `Host ${quote(headers.host)}` });
  }
  if (origin !== undefined && !isAllowedOrigin(origin, options)) {
    const message =
      'The origin in the Origin header is not allowed; to allow it, start the server with --allow-origin ORIGIN.';
    throw new Rejection(403, message, { found: `Origin ${quote(origin)}` });
  }
  const isOpen = options.accessToken === undefined && options.signInFile === undefined;
  if (isOpen && Object.keys(headers).some(isForwarding)) {
    throw new Rejection(
      403,
      'The request came through a proxy, and this server has no access token; set ORDER_LICENSE_ACCESS_TOKEN and send it as Authorization: Bearer, or set up sign-in.',
    );
  }
};

/** Whether this is a header that proxies or tunnels add. Node reports header names in lower case. */
const isForwarding = (header: string): boolean => /^(forwarded|via|x-real-ip|x-forwarded-.*)$/.test(header);

/** Whether this is the origin of a page on this machine, or an allowed origin. */
const isAllowedOrigin = (origin: string, { allowedOrigins }: HttpOptions): boolean =>
  allowedOrigins.includes(origin) || /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin);

/** Returns the headers that let pages from allowed origins read the responses. */
export const corsHeaders = ({ headers }: IncomingMessage, options: HttpOptions): Record<string, string> => {
  const { origin } = headers;
  if (origin === undefined || !isAllowedOrigin(origin, options)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
    'access-control-expose-headers': 'WWW-Authenticate', // this header says how to sign in
    vary: 'origin',
  };
};
