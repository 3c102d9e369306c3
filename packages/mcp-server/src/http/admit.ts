import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readCallerKey } from './caller-key.ts';
import type { HttpOptions } from './options.ts';
import type { Rejection } from './rejection.ts';

/** Who calls, as far as this server knows. */
export interface Caller {
  /** What the calls of this caller are sent with. */
  apiKey: string;
  /** The same for all requests of one caller; undefined for callers that cannot be told apart. */
  id?: string | undefined;
}

/**
 * Checks the Authorization header against the token of this server, and then finds the API key: the caller's own, or the
 * server's.
 */
export const admit = (incoming: IncomingMessage, options: HttpOptions): Caller | Rejection => {
  const { accessToken, apiKey: serverKey } = options;
  if (accessToken !== undefined && !isEqual(readBearer(incoming.headers.authorization), accessToken)) return wrongToken;
  const ownKey = readCallerKey(incoming, serverKey !== undefined);
  if (typeof ownKey === 'object') return ownKey;
  const apiKey = ownKey ?? serverKey;
  if (apiKey !== undefined) return { apiKey, id: ownKey };
  return {
    status: 403,
    message: 'This server has no API key of its own; send yours as X-Order-License-Key or X-API-Key.',
  };
};

const wrongToken: Rejection = {
  status: 401,
  message: 'The access token is missing or wrong; send it as Authorization: Bearer.',
  headers: { 'www-authenticate': 'Bearer realm="order-license-mcp"' },
};

const readBearer = (header: string | undefined): string => /^Bearer +(.*)$/i.exec(header ?? '')?.[1] ?? '';

/** Takes the same time wherever the two differ. */
const isEqual = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
