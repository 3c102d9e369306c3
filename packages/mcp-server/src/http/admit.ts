import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Rejection } from '../auth/rejection.ts';
import type { Identity, SignIn } from '../auth/sign-in.ts';
import { readCallerKey } from './caller-key.ts';
import type { TakeKey } from './key-quota.ts';
import type { HttpOptions } from './options.ts';

/** Who calls, as far as this server knows. */
export interface Caller {
  /** The signed-in subject; undefined for callers without sign-in. */
  subject?: string | undefined;
  /** The key for this caller's requests to the service. */
  apiKey: string;
  /** The same for all requests of one caller; undefined for callers that can't be distinguished. */
  id?: string | undefined;
}

/**
 * Checks the Authorization header against this server's token or the sign-in, then finds the API key: the caller's own,
 * the subject's or the server's.
 */
export const admit = async (
  incoming: IncomingMessage,
  options: HttpOptions,
  signIn: SignIn | undefined,
  takeKey: TakeKey,
): Promise<Caller | Rejection> => {
  const identity = await identify(incoming.headers.authorization, options, signIn);
  if ('status' in identity) return identity;
  const { subject } = identity;
  const key = identity.apiKey ?? options.apiKey;
  const ownKey = readCallerKey(incoming, key !== undefined);
  if (typeof ownKey === 'object') return ownKey;
  const tooMany = ownKey === undefined ? undefined : takeKey(subject, ownKey);
  if (tooMany) return tooMany;
  const apiKey = ownKey ?? key;
  if (apiKey === undefined) {
    return {
      status: 403,
      message: 'This server has no API key of its own; send yours as X-Order-License-Key or X-API-Key.',
    };
  }
  return { subject, apiKey, id: subject === undefined ? ownKey : `subject ${subject}` };
};

const identify = async (
  authorization: string | undefined,
  { accessToken }: HttpOptions,
  signIn: SignIn | undefined,
): Promise<Partial<Identity> | Rejection> => {
  if (accessToken !== undefined && isEqual(readBearer(authorization), accessToken)) return {};
  if (signIn) return signIn.identify(authorization);
  return accessToken === undefined ? {} : wrongToken;
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
