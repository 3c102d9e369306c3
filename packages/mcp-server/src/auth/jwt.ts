import {
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
  UnsecuredJWT,
} from 'jose';
import { quote } from '../log/quote.ts';
import { type Issuer, skewSeconds } from './issuer.ts';
import type { SignInSettings } from './settings.ts';

/**
 * Accepted signature algorithms. All use a private key, because anyone who can check a shared-secret signature can also
 * create one.
 */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

/**
 * Whether a token with this `typ` header can be an access token (RFC 9068, § 4). Many issuers write JWT, or omit the
 * header. Tokens of any other type, such as logout tokens, have a different purpose.
 */
const isAccessToken = (typ = 'JWT'): boolean => /^((application\/)?at\+jwt|jwt)$/i.test(typ);

/** A rejected token. The message does not quote it. */
export class InvalidToken extends Error {
  /** The invalid claim's value, for the operator; undefined if the token has no valid signature. */
  readonly found: string | undefined;

  constructor(what: string, found?: string) {
    super(`The access token ${what}`);
    this.found = found;
  }
}

/** The error for a token that is not a JWT, such as an incorrect static token. */
export class NotAJwt extends InvalidToken {}

/**
 * Checks the signature, issuer, audience and times of a JWT access token (RFC 9068).
 * @throws InvalidToken with the reason; Rejection while the issuer's keys cannot be read
 */
export const checkJwt = async (
  token: string,
  issuer: Issuer,
  settings: Pick<SignInSettings, 'issuer' | 'audience'>,
): Promise<{ subject: string; scopes: string[] }> => {
  const { payload, protectedHeader } = await verify(token, issuer, {
    algorithms,
    issuer: settings.issuer,
    audience: settings.audience,
    clockTolerance: skewSeconds,
    requiredClaims: ['exp', 'sub'],
  });
  if (!isAccessToken(protectedHeader.typ))
    throw new InvalidToken('has a `typ` header that names a different type of token');
  const { sub } = payload;
  if (typeof sub !== 'string' || sub === '') throw new InvalidToken('has no subject');
  return { subject: sub, scopes: readScopes(payload) };
};

const verify = async (token: string, issuer: Issuer, options: JWTVerifyOptions): Promise<JWTVerifyResult> => {
  const verifyWith = (findKey: JWTVerifyGetKey) =>
    jwtVerify(token, findKey, options).catch((error) => {
      if (error instanceof errors.JWKSMultipleMatchingKeys) return verifyWithAny(token, error, options);
      throw error;
    });
  return issuer
    .withKeys<JWTVerifyResult>(verifyWith, () => checkClaims(token, options))
    .catch((error) => {
      throw explain(error, options);
    });
};

/**
 * Checks the claims of a token whose signature can't be checked.
 * @throws InvalidToken, which does not contain the claims
 */
const checkClaims = (token: string, options: JWTVerifyOptions): JWTPayload => {
  const [, payload] = token.split('.');
  try {
    return UnsecuredJWT.decode(`${unsecuredHeader}.${payload}.`, options).payload;
  } catch (error) {
    throw explain(error, {});
  }
};

const unsecuredHeader = Buffer.from('{"alg":"none"}').toString('base64url');

/** Verifies a token without a key ID, from an issuer with several keys, by trying each key. */
const verifyWithAny = async (
  token: string,
  candidates: errors.JWKSMultipleMatchingKeys,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> => {
  for await (const key of candidates) {
    try {
      return await jwtVerify(token, key, options);
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed || isUnusableKey(error))) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
};

/** Whether an error means that a key cannot be used. For a key that is too short, say, jose throws a TypeError. */
const isUnusableKey = (error: unknown): boolean => error instanceof TypeError || error instanceof DOMException;

/**
 * Reads the scopes from the claims `scope` (RFC 9068) and `scp`, the name that some issuers use. Each claim is a list
 * or a string.
 */
const readScopes = ({ scope, scp }: JWTPayload): string[] =>
  [scope, scp].flat().flatMap((one) => (typeof one === 'string' ? one.split(' ') : []));

const explain = (error: unknown, { issuer, audience }: JWTVerifyOptions): unknown => {
  if (isUnusableKey(error)) return new InvalidToken(unusableKey);
  if (!(error instanceof errors.JOSEError)) return error;
  if (!(error instanceof errors.JWTClaimValidationFailed)) {
    const problem = problems[error.code];
    return problem === undefined ? new NotAJwt('is not a JWT') : new InvalidToken(problem);
  }
  const { claim, reason, payload } = error;
  if (claim === 'aud' && reason === 'missing') return new InvalidToken('has no audience');
  const expected = { aud: audience, iss: issuer }[claim];
  const found = expected && `${claim} ${quote(payload[claim])}, expected ${quote(expected)}`;
  return new InvalidToken(problems[claim] ?? 'has an invalid claim', found);
};

const unusableKey = 'names a published key that cannot verify its signature';

/** Descriptions of problems, by the invalid or missing claim, or by the code of jose's error. */
const problems: Readonly<Record<string, string>> = {
  aud: 'is for a different audience',
  iss: 'is from a different issuer',
  nbf: 'is not valid yet',
  exp: 'has no expiration time',
  sub: 'has no subject',
  ERR_JWT_EXPIRED: 'has expired; sign in again',
  ERR_JOSE_ALG_NOT_ALLOWED: 'is not signed, or uses an algorithm that is not accepted',
  ERR_JWK_INVALID: unusableKey,
  ERR_JWKS_INVALID: unusableKey,
  ERR_JWKS_NO_MATCHING_KEY: 'is signed with a key that the issuer does not publish',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'has an invalid signature',
};
