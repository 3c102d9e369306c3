import type { OrderLicenseError } from '@order-license/core/portable';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { misconfigured } from '../config/environment.ts';
import { writeLine } from '../log/stderr.ts';
import { type FetchJson, type FetchProblem, fetchJson } from './fetch-json.ts';
import { findMetadata, type IssuerMetadata } from './issuer-metadata.ts';

/** Keys that the issuer withdrew are forgotten after this time, ms. */
const refreshMs = 600_000;
/** Minimum time between two attempts, ms: anyone can send a token with an unknown key. */
const cooldownMs = 10_000;

export interface Issuer {
  /** The last published metadata; undefined if the issuer has not been reached yet. */
  metadata(): Promise<IssuerMetadata | undefined>;
  /**
   * Finds the key that a token names.
   * @throws IssuerAway for an unknown key while the issuer cannot be reached; errors of jose
   */
  findKey: JWTVerifyGetKey;
}

/** The issuer cannot be reached to look up an unknown key. */
export class IssuerAway extends Error {}

/** What an issuer publishes. */
export interface Published {
  metadata: IssuerMetadata;
  findKey: JWTVerifyGetKey;
}

/**
 * Reads the issuer's metadata and keys and keeps them up to date. Unlike jose's remote key set, it keeps known keys
 * while the issuer is unreachable, and waits between failed attempts. If the issuer can't be reached at the start,
 * requests that need it try again.
 * @throws `configuration` if the issuer answers, but its answer doesn't match `issuer`
 */
export const openIssuer = async (issuer: string, fetch: FetchJson = fetchJson): Promise<Issuer> => {
  const first = await readIssuer(issuer, fetch);
  if ('problem' in first && !first.isAway) throw unusable(first);
  let published: Published | undefined;
  let askedAt = 0;
  let isAway = false;
  let refreshing: Promise<void> | undefined;

  const use = (next: Published | FetchProblem): void => {
    askedAt = performance.now(); // the wall clock may be set back
    if ('problem' in next) {
      const effect = published
        ? 'Sign-in continues with the known keys.'
        : 'Its tokens are answered with 503 until then.';
      if (!isAway) writeLine(`The issuer cannot be read (${next.problem}). ${effect}`);
      isAway = true;
      return;
    }
    if (isAway) writeLine('The issuer can be read again.');
    isAway = false;
    published = next;
  };
  use(first);
  const refresh = async (): Promise<void> => {
    askedAt = performance.now();
    use(await readIssuer(issuer, fetch));
  };
  const refreshOnce = (): Promise<void> => {
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };

  /** Tries again, except right after an attempt. */
  const retry = async (): Promise<void> => {
    if (refreshing || performance.now() - askedAt > cooldownMs) await refreshOnce();
  };

  return {
    async metadata() {
      if (!published) await retry();
      return published?.metadata;
    },
    async findKey(header, token) {
      if (published && performance.now() - askedAt > refreshMs) void refreshOnce();
      try {
        if (published) return await published.findKey(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      }
      await retry();
      if (!published || isAway) throw new IssuerAway();
      return published.findKey(header, token);
    },
  };
};

/** Reads metadata and keys once. */
export const readIssuer = async (issuer: string, fetch: FetchJson = fetchJson): Promise<Published | FetchProblem> => {
  const found = await findMetadata(issuer, fetch);
  if ('problem' in found) return found;
  const { metadata } = found;
  const keys = await fetch(metadata.jwks_uri);
  if ('problem' in keys) return { ...keys, problem: `${metadata.jwks_uri}: ${keys.problem}` };
  try {
    return { metadata, findKey: createLocalJWKSet(keys.json as unknown as JSONWebKeySet) };
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
