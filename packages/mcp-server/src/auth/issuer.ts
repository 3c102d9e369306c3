import type { OrderLicenseError } from '@order-license/core/portable';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import { misconfigured } from '../config/environment.ts';
import { writeLine } from '../log/stderr.ts';
import { type FetchJson, type FetchProblem, fetchJson, timeoutMs } from './fetch-json.ts';
import { findMetadata, type IssuerMetadata } from './issuer-metadata.ts';

/** Older keys are read again before they decide, ms: the issuer may have withdrawn one. */
const staleMs = 600_000;
/** Minimum time between two attempts, ms: anyone can send a token with an unknown key. */
const cooldownMs = 10_000;

export interface Issuer {
  /** The last published metadata; undefined if the issuer has not been reached yet. */
  metadata(): Promise<IssuerMetadata | undefined>;
  /**
   * Finds the key that a token names.
   * @throws KeysUnavailable if that can't be decided now; errors of jose
   */
  findKey: JWTVerifyGetKey;
}

/** The issuer's keys must be read again to check a token, and can't be at this moment. */
export class KeysUnavailable extends Error {
  /** When the next attempt may be made, s. */
  readonly retryAfter: number;

  constructor(reason: string, waitMs: number) {
    super(`The access token cannot be checked, because ${reason}; try again later.`);
    // Times of performance.now() have fractions: their difference can be a little more than the whole wait.
    this.retryAfter = Math.max(1, Math.ceil(Math.round(waitMs) / 1000));
  }
}

/** What an issuer publishes. */
export interface Published {
  metadata: IssuerMetadata;
  keys: JSONWebKeySet;
}

/**
 * Reads the issuer's metadata and keys, and again when a token needs it. While the issuer is unreachable, known keys
 * stay valid. If it can't be reached at the start, requests that need it try again.
 * @throws `configuration` if the issuer answers, but its answer doesn't match `issuer`
 */
export const openIssuer = async (issuer: string, fetch: FetchJson = fetchJson): Promise<Issuer> => {
  let metadata: IssuerMetadata | undefined;
  let problem: FetchProblem | undefined;
  let readAt = Number.NEGATIVE_INFINITY; // the wall clock may be set back
  let mayAskAt = Number.NEGATIVE_INFINITY;

  const keys = createRemoteJWKSet(new URL(issuer), {
    // Its own times are of the wall clock, so only `reload` fetches.
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: Number.POSITIVE_INFINITY,
    timeoutDuration: timeoutMs,
    async [customFetch](_url, { signal }) {
      const read = await readIssuer(issuer, (url) => fetch(url, signal));
      if ('problem' in read) throw new Unreadable(read);
      metadata = read.metadata;
      return Response.json(read.keys);
    },
  });
  const reload = async (): Promise<void> => {
    const before = problem;
    try {
      await keys.reload();
      readAt = performance.now();
      problem = undefined;
      if (before) writeLine('The issuer can be read again.');
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      problem = error.why;
      const effect = keys.jwks()
        ? 'Sign-in continues with the known keys.'
        : 'Its tokens are answered with 503 until then.';
      if (!before) writeLine(`The issuer cannot be read (${problem.problem}). ${effect}`);
    }
  };
  /** Reads again, except right after an attempt. */
  const retry = async (): Promise<void> => {
    if (!keys.reloading && performance.now() < mayAskAt) return;
    mayAskAt = performance.now() + cooldownMs;
    await reload();
  };
  await reload();
  if (problem && !problem.isAway) throw unusable(problem);

  return {
    async metadata() {
      if (!metadata) await retry();
      return metadata;
    },
    async findKey(header, token) {
      const askedAt = performance.now();
      if (askedAt - readAt > staleMs) await retry();
      try {
        if (keys.jwks()) return await keys(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      }
      if (readAt < askedAt) await retry();
      if (readAt >= askedAt) return keys(header, token);
      const reason = problem ? 'the issuer cannot be reached' : "the issuer's keys were read a moment ago";
      throw new KeysUnavailable(reason, mayAskAt - performance.now());
    },
  };
};

class Unreadable extends Error {
  readonly why: FetchProblem;

  constructor(why: FetchProblem) {
    super(why.problem);
    this.why = why;
  }
}

/** Reads metadata and keys once. */
export const readIssuer = async (issuer: string, fetch: FetchJson = fetchJson): Promise<Published | FetchProblem> => {
  const found = await findMetadata(issuer, fetch);
  if ('problem' in found) return found;
  const { metadata } = found;
  const read = await fetch(metadata.jwks_uri);
  if ('problem' in read) return { ...read, problem: `${metadata.jwks_uri}: ${read.problem}` };
  const keys = read.json as unknown as JSONWebKeySet;
  try {
    createLocalJWKSet(keys);
    return { metadata, keys };
  } catch {
    return { problem: `${metadata.jwks_uri}: not a set of keys`, isAway: false };
  }
};

/** An error for an unusable issuer. */
export const unusable = ({ problem, isAway }: FetchProblem): OrderLicenseError =>
  misconfigured(
    `The issuer of ORDER_LICENSE_OAUTH cannot be used (${problem})`,
    isAway
      ? 'Check `issuer`, and whether this machine can reach it.'
      : '`issuer` must be exactly the issuer that its metadata and tokens name.',
  );
