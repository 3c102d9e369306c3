import type { IncomingMessage } from 'node:http';
import { isOrderLicenseError } from '@order-license/core/portable';
import { checkBearerToken } from '../auth/bearer-token.ts';
import { Rejection } from '../auth/rejection.ts';
import type { SignIn } from '../auth/sign-in.ts';
import { checkConfiguredKey } from '../config/api-key.ts';
import type { HttpOptions } from './options.ts';

/** What this server knows about the caller. */
export interface Caller {
  /** The signed-in subject; undefined for callers without sign-in. */
  subject?: string | undefined;
  /** The key for this caller's requests to the API. */
  apiKey: string;
  /** Whether the caller sent no key, so that the server's operator chose it. */
  isOperatorsKey: boolean;
  /**
   * A text that is the same in all of this caller's requests, and different for other callers; undefined for callers
   * that can't be distinguished.
   */
  id?: string | undefined;
}

/**
 * Checks the token in the Authorization header, then chooses the API key: the caller's own, the subject's or the
 * server's.
 * @throws Rejection
 */
export const admit = async (
  incoming: IncomingMessage,
  options: HttpOptions,
  signIn: SignIn | undefined,
): Promise<Caller> => {
  const { subject, ...identity } = await checkBearerToken(incoming.headers.authorization, options.accessToken, signIn);
  const key = identity.apiKey ?? options.apiKey;
  const ownKey = readCallerKey(incoming, key !== undefined);
  const apiKey = ownKey ?? key;
  if (apiKey !== undefined) {
    const id = subject === undefined ? ownKey : `subject ${subject}`;
    return { subject, apiKey, isOperatorsKey: ownKey === undefined, id };
  }
  throw new Rejection(403, 'This server has no API key of its own; send yours as X-Order-License-Key or X-API-Key.');
};

/** The header for a caller's own API key; Authorization is reserved for this server. */
const ownHeader = 'X-Order-License-Key';
/** A header for API keys that users can set in hosted clients. Gateways may put their own secrets in it. */
const sharedHeader = 'X-API-Key';

/**
 * Returns the API key that a caller sends; undefined if there is none.
 * @param serverHasKey whether the server has a key. If it does, X-API-Key is ignored, because it may contain a
 * gateway's secret, which must not be sent to the shop
 * @throws Rejection for a malformed key, or for two different keys
 */
export const readCallerKey = (
  { headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>,
  serverHasKey: boolean,
): string | undefined => {
  const headers = serverHasKey ? [ownHeader] : [ownHeader, sharedHeader];
  const [key, ...others] = new Set(
    headers.flatMap((header) => (headersDistinct[header.toLowerCase()] ?? []).map((value) => checkKey(header, value))),
  );
  if (others.length === 0) return key;
  throw new Rejection(400, `The request has two different API keys; send only one, as ${ownHeader}.`);
};

const checkKey = (header: string, value: string): string => {
  try {
    return checkConfiguredKey(value, header);
  } catch (error) {
    throw isOrderLicenseError(error) ? new Rejection(400, error.message) : error;
  }
};
