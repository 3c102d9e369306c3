import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { misconfigured } from '../config/environment.ts';
import { writeLine } from '../log/stderr.ts';
import { type FetchJson, fetchJson } from './fetch-json.ts';
import { findMetadata, type IssuerMetadata } from './issuer-metadata.ts';

/** After this, keys that the issuer has withdrawn are forgotten, ms. */
const refreshMs = 600_000;
/** Between two attempts, whatever came of the first, ms: anybody can send a token with an unknown key. */
const cooldownMs = 10_000;

export interface Issuer {
  /** As the issuer published it last. */
  metadata(): IssuerMetadata;
  /**
   * Finds the key that a token names.
   * @throws IssuerAway for a key that is not known while the issuer cannot be asked; errors of jose
   */
  findKey: JWTVerifyGetKey;
}

/** The issuer cannot be asked for a key that is not known yet. */
export class IssuerAway extends Error {}

interface Published {
  metadata: IssuerMetadata;
  findKey: JWTVerifyGetKey;
}

/**
 * Reads metadata and keys of the issuer, and keeps them up to date. Unlike jose's remote key set it keeps the known keys
 * while the issuer is away, and waits between attempts that failed.
 * @throws `configuration` when the issuer cannot be read now
 */
export const openIssuer = async (issuer: string, fetch: FetchJson = fetchJson): Promise<Issuer> => {
  const first = await readPublished(issuer, fetch);
  if (typeof first === 'string') {
    throw misconfigured(
      `The issuer of ORDER_LICENSE_OAUTH cannot be used (${first})`,
      'Check `issuer`, which has to be exactly what its tokens say, and whether this machine can reach it.',
    );
  }
  let published = first;
  // The wall clock may be set back.
  let askedAt = performance.now();
  let isAway = false;
  let refreshing: Promise<void> | undefined;

  const refresh = async (): Promise<void> => {
    askedAt = performance.now();
    const next = await readPublished(issuer, fetch);
    if (typeof next === 'string') {
      if (!isAway) writeLine(`The issuer cannot be read (${next}). Sign-in goes on with the keys known so far.`);
      isAway = true;
      return;
    }
    if (isAway) writeLine('The issuer can be read again.');
    isAway = false;
    published = next;
  };
  const refreshOnce = (): Promise<void> => {
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };

  return {
    metadata: () => published.metadata,
    async findKey(header, token) {
      const ageMs = performance.now() - askedAt;
      if (ageMs > refreshMs) void refreshOnce();
      try {
        return await published.findKey(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        if (refreshing || ageMs > cooldownMs) await refreshOnce();
        if (isAway) throw new IssuerAway();
        return published.findKey(header, token);
      }
    },
  };
};

/** @returns why not, in words */
const readPublished = async (issuer: string, fetch: FetchJson): Promise<Published | string> => {
  const metadata = await findMetadata(issuer, fetch);
  if (typeof metadata === 'string') return metadata;
  const keys = await fetch(metadata.jwks_uri);
  if (typeof keys === 'string') return `${metadata.jwks_uri}: ${keys}`;
  try {
    return { metadata, findKey: createLocalJWKSet(keys as unknown as JSONWebKeySet) };
  } catch {
    return `${metadata.jwks_uri}: not a set of keys`;
  }
};
