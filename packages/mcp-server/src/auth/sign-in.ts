import {
  bearerAuthChallengeResponse,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  verifyBearerToken,
} from '@modelcontextprotocol/server';
import type { Rejection } from '../http/rejection.ts';
import { type CheckedToken, checkAccessToken } from './access-token.ts';
import type { FetchJson } from './fetch-json.ts';
import { IssuerAway, openIssuer } from './issuer.ts';
import { metadataResponse } from './metadata-response.ts';
import { resourceOf } from './settings.ts';
import { openSettingsFile } from './settings-file.ts';

/** Whom the issuer signed in. */
export interface Identity {
  subject: string;
  /** For this subject alone; undefined for the key of the server. */
  apiKey: string | undefined;
}

/** What makes this server an OAuth 2.1 resource server. */
export interface SignIn {
  /** The name in the Host header of those who come by the public address. */
  hostName: string;
  /** @param authorization the header as it came */
  identify(authorization: string | undefined): Promise<Identity | Rejection>;
  /** The answer to a request for metadata; undefined for any other path. */
  respond(method: string, path: string): Response | undefined;
  /** Stops following the file. */
  close(): void;
}

/**
 * Reads the file named by ORDER_LICENSE_OAUTH, and metadata and keys of the issuer.
 * @param serverHasKey whether there is a key for the subjects that have none of their own
 * @throws `configuration` when either cannot be used
 */
export const openSignIn = async (path: string, serverHasKey: boolean, fetchJson?: FetchJson): Promise<SignIn> => {
  const file = openSettingsFile(path, serverHasKey);
  const { issuer: name, publicUrl, scope } = file.current();
  const issuer = await openIssuer(name, fetchJson).catch((error) => {
    file.close();
    throw error;
  });
  const challenge = {
    requiredScopes: [scope],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(new URL(resourceOf({ publicUrl }))),
  };
  const verifier = { verifyAccessToken: (token: string) => checkAccessToken(token, issuer, file.current()) };

  return {
    hostName: new URL(publicUrl).hostname,
    async identify(authorization) {
      try {
        const { subject } = (await verifyBearerToken(authorization, { verifier, ...challenge })) as CheckedToken;
        const { subjects } = file.current();
        return subjects.has(subject) ? { subject, apiKey: subjects.get(subject) } : notListed;
      } catch (error) {
        if (error instanceof IssuerAway) return issuerAway;
        if (!(error instanceof OAuthError)) throw error;
        const { status, headers } = bearerAuthChallengeResponse(error, challenge);
        const authenticate = headers.get('www-authenticate');
        return {
          status,
          message: `${error.message}.`,
          ...(authenticate !== null && { headers: { 'www-authenticate': authenticate } }),
        };
      }
    },
    respond: (method, requested) => metadataResponse(method, requested, file.current(), issuer.metadata()),
    close: () => file.close(),
  };
};

/** Without a challenge: signing in again would change nothing. */
const notListed: Rejection = {
  status: 403,
  message: 'This account is not among the subjects of the server; ask its operator to add it.',
};

/** 401 would send people through a login that cannot work. */
const issuerAway: Rejection = {
  status: 503,
  message: 'The access token names a key that is not known, and the issuer cannot be asked; try again later.',
  headers: { 'retry-after': '10' },
};
