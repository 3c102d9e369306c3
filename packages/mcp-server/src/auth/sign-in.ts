import {
  bearerAuthChallengeResponse,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  verifyBearerToken,
} from '@modelcontextprotocol/server';
import { quote } from '../log/quote.ts';
import { type CheckedToken, checkAccessToken, InvalidToken, NotAJwt } from './access-token.ts';
import { KeysUnavailable, openIssuer } from './issuer.ts';
import { metadataResponse } from './metadata-response.ts';
import type { Rejection } from './rejection.ts';
import { resourceOf } from './settings.ts';
import { openSettingsFile } from './settings-file.ts';

/** A signed-in subject. */
export interface Identity {
  subject: string;
  /** This subject's own key; undefined for the server's key. */
  apiKey: string | undefined;
}

/** The OAuth 2.1 part of this server: a resource server. */
export interface SignIn {
  /** The host name in requests to the public address. */
  hostName: string;
  /** @param authorization the unparsed header */
  identify(authorization: string | undefined): Promise<Identity | Rejection>;
  /** The answer to a request for metadata; undefined for any other path. */
  respond(method: string, path: string): Promise<Response | undefined>;
  /** Stops following the file. */
  close(): void;
}

/**
 * Reads the file named by ORDER_LICENSE_OAUTH, and metadata and keys of the issuer.
 * @param serverHasKey whether subjects without their own key can use the server's
 * @param hasStaticToken whether callers may send ORDER_LICENSE_ACCESS_TOKEN instead
 * @throws `configuration` if either cannot be used
 */
export const openSignIn = async (path: string, serverHasKey: boolean, hasStaticToken = false): Promise<SignIn> => {
  const file = openSettingsFile(path, serverHasKey);
  const { issuer: name, publicUrl, scope } = file.current();
  const issuer = await openIssuer(name).catch((error) => {
    file.close();
    throw error;
  });
  const explain = (error: OAuthError, checked: CheckedToken | undefined): Pick<Rejection, 'message' | 'found'> => {
    if (checked) {
      return { message: `The access token lacks the scope ${scope}.`, found: `scopes ${quote(checked.scopes)}` };
    }
    const found = error instanceof InvalidToken ? error.found : undefined;
    const isNeither = hasStaticToken && error instanceof NotAJwt;
    return { message: `${error.message}${isNeither ? ", and not this server's own token" : ''}.`, found };
  };
  const challenge = {
    requiredScopes: [scope],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(new URL(resourceOf({ publicUrl }))),
  };
  const noToken: Rejection = {
    status: 401,
    message: 'The access token is missing; sign in, and send it as Authorization: Bearer.',
    headers: { 'www-authenticate': `Bearer scope="${scope}", resource_metadata="${challenge.resourceMetadataUrl}"` },
  };
  return {
    hostName: new URL(publicUrl).hostname,
    async identify(authorization) {
      let checked: CheckedToken | undefined;
      const verifyAccessToken = async (token: string): Promise<CheckedToken> => {
        checked = await checkAccessToken(token, issuer, file.current());
        return checked;
      };
      // RFC 6750, § 3.1: no error code without credentials.
      if (!/^Bearer +\S/i.test(authorization ?? '')) return noToken;
      try {
        await verifyBearerToken(authorization, { verifier: { verifyAccessToken }, ...challenge });
      } catch (error) {
        if (error instanceof KeysUnavailable) return tryAgain(error);
        if (!(error instanceof OAuthError)) throw error;
        const { status, headers } = bearerAuthChallengeResponse(error, challenge);
        const authenticate = headers.get('www-authenticate');
        return {
          status,
          ...explain(error, checked),
          ...(authenticate !== null && { headers: { 'www-authenticate': authenticate } }),
        };
      }
      const { subject = '' } = checked ?? {};
      const { subjects } = file.current();
      return subjects.has(subject) ? { subject, apiKey: subjects.get(subject) } : refuseSubject(subject);
    },
    respond: (method, requested) => metadataResponse(method, requested, file.current(), issuer.metadata),
    close: () => file.close(),
  };
};

/** Without a challenge: signing in again would change nothing. People need their subject, which is in their token. */
const refuseSubject = (subject: string): Rejection => {
  const logged = 'This account is not among the subjects of the server.';
  return {
    status: 403,
    message: `${logged} Ask its operator to add ${quote(subject)}.`,
    logged,
    found: `subject ${quote(subject)}`,
  };
};

/** 401 would send people through a login that cannot work. */
const tryAgain = ({ message, retryAfter }: KeysUnavailable): Rejection => ({
  status: 503,
  message,
  headers: { 'retry-after': String(retryAfter) },
});
