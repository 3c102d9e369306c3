import { type AuthInfo, OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import { errors, type JWTPayload, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose';
import { quote } from '../log/quote.ts';
import { type Issuer, KeysUnavailable } from './issuer.ts';
import type { SignInSettings } from './settings.ts';

/** How far the clocks of issuer and server may differ, s. */
const skewSeconds = 30;

/** Only private-key signatures: anyone who can check a shared-secret signature can also create one. */
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

/** RFC 9068, § 4. Many issuers write JWT, or nothing; other types, such as logout tokens, are for other uses. */
const isAccessToken = (typ = 'JWT'): boolean => /^((application\/)?at\+jwt|jwt)$/i.test(typ);

/** A verified access token. */
export interface CheckedToken extends AuthInfo {
  subject: string;
}

/** A refused token; the message quotes nothing of it. */
export class InvalidToken extends OAuthError {
  /** The claim's value, for the operator; only for tokens with a valid signature. */
  readonly found: string | undefined;

  constructor(what: string, found?: string) {
    super(OAuthErrorCode.InvalidToken, `The access token ${what}`);
    this.found = found;
  }
}

/**
 * Checks signature, issuer, audience and times of a JWT access token (RFC 9068).
 * @throws InvalidToken with the reason; KeysUnavailable
 */
export const checkAccessToken = async (
  token: string,
  issuer: Issuer,
  settings: Pick<SignInSettings, 'issuer' | 'audience'>,
): Promise<CheckedToken> => {
  const { payload, protectedHeader } = await verify(token, issuer, {
    algorithms,
    issuer: settings.issuer,
    audience: settings.audience,
    clockTolerance: skewSeconds,
    requiredClaims: ['exp', 'sub'],
  });
  if (!isAccessToken(protectedHeader.typ)) throw new InvalidToken('is a token of another type');
  const { sub, exp = 0, client_id, azp } = payload;
  if (typeof sub !== 'string' || sub === '') throw new InvalidToken('has no subject');
  return {
    token,
    clientId: String(client_id ?? azp ?? ''),
    scopes: readScopes(payload),
    expiresAt: exp + skewSeconds,
    subject: sub,
  };
};

const verify = async (token: string, { findKey }: Issuer, options: JWTVerifyOptions): Promise<JWTVerifyResult> => {
  try {
    return await jwtVerify(token, findKey, options);
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) return verifyWithAny(token, error, options);
    throw explain(error, options);
  }
};

/** A token without a key ID, from an issuer with several keys. */
const verifyWithAny = async (
  token: string,
  candidates: errors.JWKSMultipleMatchingKeys,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> => {
  for await (const key of candidates) {
    try {
      return await jwtVerify(token, key, options);
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw explain(error, options);
    }
  }
  throw new InvalidToken('has a wrong signature');
};

/** `scope` of RFC 9068, and `scp`, as some issuers call it; a list or a string. */
const readScopes = ({ scope, scp }: JWTPayload): string[] =>
  [scope, scp].flat().flatMap((one) => (typeof one === 'string' ? one.split(' ') : []));

const explain = (error: unknown, { issuer, audience }: JWTVerifyOptions): unknown => {
  if (error instanceof KeysUnavailable || !(error instanceof errors.JOSEError)) return error;
  if (error instanceof errors.JWTExpired) return new InvalidToken('has expired');
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, payload } = error;
    const expected = { aud: audience, iss: issuer }[claim];
    const found = expected && `${claim} ${quote(payload[claim])}, expected ${quote(expected)}`;
    return new InvalidToken(claimProblems[claim] ?? 'has a wrong claim', found);
  }
  const problem = problems[error.code];
  return problem === undefined ? new NotAJwt() : new InvalidToken(problem);
};

/** Any other string, such as a wrong static token. */
export class NotAJwt extends InvalidToken {
  constructor() {
    super('is not a JWT');
  }
}

const claimProblems: Readonly<Record<string, string>> = {
  aud: 'is for another audience',
  iss: 'is from another issuer',
  nbf: 'is not valid yet',
  exp: 'has no expiration time',
  sub: 'has no subject',
};

const problems: Readonly<Record<string, string>> = {
  ERR_JOSE_ALG_NOT_ALLOWED: 'is not signed, or uses an algorithm that is not accepted',
  ERR_JWKS_NO_MATCHING_KEY: 'is signed with a key that the issuer does not publish',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'has a wrong signature',
};
