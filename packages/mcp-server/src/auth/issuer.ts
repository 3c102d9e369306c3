import { configurationError } from '@order-license/core/host';
import type { OrderLicenseError } from '@order-license/core/portable';
import { errors, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { writeLine } from '../log/stderr.ts';
import { Unreadable } from './fetch-json.ts';
import { type IssuerMetadata, readIssuer } from './issuer-metadata.ts';
import { Rejection } from './rejection.ts';

/**
 * Maximum age of keys, ms. Older keys are read again before they are trusted, because the issuer may have withdrawn a
 * key.
 */
const staleMs = 600_000;
/** Minimum time between two attempts to read the keys, ms: anyone can send a token with an unknown key. */
const cooldownMs = 10_000;
/** Maximum difference between the issuer's clock and this server's clock, s. */
export const skewSeconds = 30;

export interface Issuer {
  /**
   * Returns the last metadata read.
   * @throws Rejection with 503 if the issuer has not been reached yet
   */
  metadata(): Promise<IssuerMetadata>;
  /**
   * Verifies a token with the known keys and, if that fails for lack of a key, once more with keys that are read again.
   * @param verify verifies the token with these keys, or throws jose's errors
   * @param checkClaims checks and returns the claims, before the signature; called only if the key is unknown
   * @throws Rejection with 503 if the issuer's keys cannot be read now; otherwise what `verify` throws
   */
  withKeys<Result>(
    verify: (findKey: JWTVerifyGetKey) => Promise<Result>,
    checkClaims: () => JWTPayload,
  ): Promise<Result>;
}

/** The keys of an issuer that has not been reached yet. */
const noKeys: JWTVerifyGetKey = async () => {
  throw new errors.JWKSNoMatchingKey();
};

/**
 * Reads the issuer's metadata and keys, and reads them again when a token requires it. While the issuer is unreachable,
 * known keys stay valid. If the issuer can't be reached at startup, requests that need its keys try again.
 * @throws `configuration` if the issuer responds, but not with usable metadata and keys
 */
export const openIssuer = async (issuer: string): Promise<Issuer> => {
  let known: Awaited<ReturnType<typeof readIssuer>> | undefined;
  let problem: Unreadable | undefined;
  let readAt = Number.NEGATIVE_INFINITY; // from performance.now(), because the wall clock may be set back
  let mayAskAt = Number.NEGATIVE_INFINITY;

  const read = async (): Promise<void> => {
    try {
      known = await readIssuer(issuer);
      readAt = performance.now();
      if (problem) writeLine("The issuer's metadata and keys can be read again.");
      problem = undefined;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const effect = known
        ? 'Sign-in continues with the known keys.'
        : "Until they can be read, requests with this issuer's tokens get a 503 response.";
      if (!problem) writeLine(`The issuer's metadata and keys cannot be read (${error.message}). ${effect}`);
      problem = error;
    }
  };
  /** Reads the metadata and keys again, unless the last attempt was less than ten seconds ago. */
  const retry = (): Promise<void> => {
    if (performance.now() >= mayAskAt) {
      mayAskAt = performance.now() + cooldownMs;
      reading = read();
    }
    return reading;
  };
  let reading = read();
  const later = (problem: string): Rejection => {
    // Times from performance.now() have fractions, so their difference can be slightly more than the cooldown.
    const retryAfter = Math.max(1, Math.ceil(Math.round(mayAskAt - performance.now()) / 1000));
    return new Rejection(503, `${problem}; try again later.`, { retryAfter });
  };
  await reading;
  if (problem && !problem.isAway) throw unusable(problem);

  return {
    async metadata() {
      if (!known) await retry();
      if (known) return known.metadata;
      throw later("The issuer's metadata cannot be read");
    },
    async withKeys(verify, checkClaims) {
      const askedAt = performance.now();
      if (askedAt - readAt > staleMs) await retry();
      return verify(known?.findKey ?? noKeys).catch(async (error) => {
        const isUnknown = error instanceof errors.JWKSNoMatchingKey;
        if (isUnknown) {
          // Reading the keys again helps neither a token with invalid claims nor one that is older than the known keys.
          const { iat: issuedAt = Number.POSITIVE_INFINITY } = checkClaims();
          const age = Date.now() / 1000 - issuedAt; // compared by age, because the wall clock may have been set since
          if (age - skewSeconds > (askedAt - readAt) / 1000) throw error;
          // Some issuers give a new key the ID of the old one, or none: then the signature is invalid.
        } else if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
        if (readAt < askedAt) await retry();
        if (known && readAt >= askedAt) return verify(known.findKey);
        if (!isUnknown) throw error;
        const reason = problem
          ? 'the issuer cannot be reached'
          : "it is signed with an unknown key, and the issuer's keys cannot be read again yet";
        // Not a 401, which would send people through a login that cannot work.
        throw later(`The access token cannot be checked, because ${reason}`);
      });
    },
  };
};

export const unusable = ({ message, isAway }: Unreadable): OrderLicenseError =>
  configurationError(
    `The issuer set in the ORDER_LICENSE_OAUTH file cannot be used (${message})`,
    isAway
      ? 'Check `issuer` in the file, and whether this machine can reach that address.'
      : 'In the file, `issuer` must exactly match the issuer named in the metadata and tokens.',
  );
