import { createHash, timingSafeEqual } from 'node:crypto';
import { Rejection } from './rejection.ts';
import type { Identity, SignIn } from './sign-in.ts';

/**
 * Checks the token in the Authorization header: this server's own, or with sign-in one of the issuer's.
 * @param authorization the header; undefined if the caller sent none
 * @param accessToken this server's own token; undefined if it has none
 * @returns who the caller is; empty for a caller with the server's own token, or if the server needs no token
 * @throws Rejection
 */
export const checkBearerToken = async (
  authorization = '',
  accessToken: string | undefined,
  signIn: SignIn | undefined,
): Promise<Partial<Identity>> => {
  // Some people write the scheme in a field of their client that adds it.
  const [, token = ''] = /^(?:Bearer +)+(\S.*)$/is.exec(authorization) ?? [];
  // A comparison whose duration does not depend on where the two tokens differ.
  if (accessToken !== undefined && timingSafeEqual(digest(token), digest(accessToken))) return {};
  if (signIn) return signIn.identify(token);
  if (accessToken === undefined) return {};
  throw new Rejection(401, 'The access token is missing or invalid; send it as Authorization: Bearer.', {
    headers: { 'www-authenticate': 'Bearer realm="order-license-mcp"' },
  });
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
