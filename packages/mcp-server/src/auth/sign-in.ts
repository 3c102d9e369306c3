import { getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/server';
import { quote } from '../log/quote.ts';
import { openIssuer } from './issuer.ts';
import { checkJwt, InvalidToken, NotAJwt } from './jwt.ts';
import { metadataResponse } from './metadata-response.ts';
import { Rejection } from './rejection.ts';
import { resourceOf } from './settings.ts';
import { openSettingsFile } from './settings-file.ts';

/** A signed-in subject. */
export interface Identity {
  subject: string;
  /** This subject's own key; undefined for the server's key. */
  apiKey: string | undefined;
}

/** The part of OAuth 2.1 that this server implements, as a resource server. */
export interface SignIn {
  /** The address below which clients reach this server. */
  publicUrl: URL;
  /**
   * Finds the subject of an access token.
   * @param token the access token; empty if there is none
   * @throws Rejection
   */
  identify(token: string): Promise<Identity>;
  /** Returns the response to a request for metadata; undefined for any other path. */
  respond(method: string, path: string): Promise<Response | undefined>;
  /** Stops watching the file. */
  close(): void;
}

/**
 * Reads the file named in ORDER_LICENSE_OAUTH, and the issuer's metadata and keys.
 * @param serverHasKey whether subjects without their own key can use the server's
 * @param hasStaticToken whether callers may send ORDER_LICENSE_ACCESS_TOKEN instead
 * @throws `configuration` if the file or the issuer cannot be used
 */
export const openSignIn = async (path: string, serverHasKey: boolean, hasStaticToken = false): Promise<SignIn> => {
  const file = openSettingsFile(path, serverHasKey);
  const { issuer: name, publicUrl, scope } = file.current();
  const issuer = await openIssuer(name).catch((error) => {
    file.close();
    throw error;
  });
  const metadataUrl = getOAuthProtectedResourceMetadataUrl(new URL(resourceOf({ publicUrl })));
  /** Returns a rejection with a challenge. Without credentials, the challenge has no error code (RFC 6750, § 3.1). */
  const reject = (status: number, message: string, code?: string, found?: string): Rejection => {
    const error = code === undefined ? '' : `error="${code}", error_description="${message}", `;
    const challenge = `Bearer ${error}scope="${scope}", resource_metadata="${metadataUrl}"`;
    return new Rejection(status, `${message}.`, { found, headers: { 'www-authenticate': challenge } });
  };
  return {
    publicUrl: new URL(publicUrl),
    async identify(token) {
      if (token === '') {
        throw reject(401, 'The access token is missing; sign in, and send the token as Authorization: Bearer');
      }
      const { subject, scopes } = await checkJwt(token, issuer, file.current()).catch((error) => {
        if (!(error instanceof InvalidToken)) throw error;
        const more = hasStaticToken && error instanceof NotAJwt ? ", and not this server's own token" : '';
        throw reject(401, error.message + more, 'invalid_token', error.found);
      });
      if (!scopes.includes(scope)) {
        const found = `scopes ${quote(scopes)}`;
        throw reject(
          403,
          `The access token lacks the scope ${scope}; sign in again and grant this scope`,
          'insufficient_scope',
          found,
        );
      }
      const { subjects } = file.current();
      if (subjects.has(subject)) return { subject, apiKey: subjects.get(subject) };
      // The rejection has no challenge, because signing in again would change nothing. The message names the subject,
      // so that the user can pass the name on to the operator.
      const logged = "This account is not one of the server's subjects.";
      const message = `${logged} Ask the server's operator to add the subject ${quote(subject)}.`;
      throw new Rejection(403, message, { logged, found: `subject ${quote(subject)}` });
    },
    respond: (method, requested) => metadataResponse(method, requested, file.current(), issuer.metadata),
    close: () => file.close(),
  };
};
