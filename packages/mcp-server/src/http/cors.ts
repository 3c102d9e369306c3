import type { IncomingMessage } from 'node:http';

interface AllowedOrigins {
  allowedOrigins: readonly string[];
}

/** Pages of this machine, and allowed origins. */
export const isAllowedOrigin = (origin: string, { allowedOrigins }: AllowedOrigins): boolean =>
  allowedOrigins.includes(origin) || /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin);

/** Lets pages of allowed origins read the answers. */
export const corsHeaders = ({ headers }: IncomingMessage, options: AllowedOrigins): Record<string, string> => {
  const { origin } = headers;
  if (origin === undefined || !isAllowedOrigin(origin, options)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
    'access-control-expose-headers': 'WWW-Authenticate', // how to sign in
    vary: 'origin',
  };
};
