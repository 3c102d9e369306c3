import { type AuthInfo, OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import { type Issuer, IssuerAway } from './issuer.ts';
import type { SignInSettings } from './settings.ts';

/** How far the clocks of issuer and server may differ, s. */
const skewSeconds = 30;

/** Signatures with a private key alone: whoever checks one with a shared secret could make one as well. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** An access token that was checked. */
export interface CheckedToken extends AuthInfo {
  subject: string;
}

/**
 * Checks signature, issuer, audience and times of a JWT access token (RFC 9068).
 * @throws OAuthError `invalid_token` with the reason, in words without anything of the token; IssuerAway
 */
export const checkAccessToken = async (
  token: string,
  issuer: Issuer,
  { audience }: Pick<SignInSettings, 'audience'>,
): Promise<CheckedToken> => {
  const payload = await verify(token, issuer, {
    algorithms,
    issuer: issuer.metadata().issuer,
    audience,
    clockTolerance: skewSeconds,
    requiredClaims: ['exp', 'sub'],
  });
  const { sub, exp = 0, client_id, azp } = payload;
  if (typeof sub !== 'string' || sub === '') throw invalid('has no subject');
  return {
    token,
    clientId: String(client_id ?? azp ?? ''),
    scopes: readScopes(payload),
    expiresAt: exp + skewSeconds,
    subject: sub,
  };
};

const verify = async (token: string, { findKey }: Issuer, options: JWTVerifyOptions): Promise<JWTPayload> => {
  try {
    return (await jwtVerify(token, findKey, options)).payload;
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) return verifyWithAny(token, error, options);
    throw explain(error);
  }
};

/** A token without the ID of its key, from an issuer with several. */
const verifyWithAny = async (
  token: string,
  candidates: errors.JWKSMultipleMatchingKeys,
  options: JWTVerifyOptions,
): Promise<JWTPayload> => {
  for await (const key of candidates) {
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw explain(error);
    }
  }
  throw invalid('has a wrong signature');
};

/** `scope` of RFC 9068, and `scp`, as some issuers name it; a list or one text. */
const readScopes = ({ scope, scp }: JWTPayload): string[] =>
  [scope, scp].flat().flatMap((one) => (typeof one === 'string' ? one.split(' ') : []));

const invalid = (what: string): OAuthError => new OAuthError(OAuthErrorCode.InvalidToken, `The access token ${what}`);

const explain = (error: unknown): unknown => {
  if (error instanceof IssuerAway || !(error instanceof errors.JOSEError)) return error;
  if (error instanceof errors.JWTExpired) return invalid('has expired');
  if (error instanceof errors.JWTClaimValidationFailed)
    return invalid(claimProblems[error.claim] ?? 'has a wrong claim');
  return invalid(problems[error.code] ?? 'is not a JWT, the only kind that this server takes');
};

const claimProblems: Readonly<Record<string, string>> = {
  aud: 'is for another audience',
  iss: 'is from another issuer',
  nbf: 'is not valid yet',
  exp: 'has no expiration time',
  sub: 'has no subject',
};

const problems: Readonly<Record<string, string>> = {
  ERR_JOSE_ALG_NOT_ALLOWED: 'is not signed, or in a way that is not accepted',
  ERR_JWKS_NO_MATCHING_KEY: 'is signed with a key that the issuer does not publish',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'has a wrong signature',
};
