import type { OAuthMetadata } from '@modelcontextprotocol/server';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { quote } from '../log/quote.ts';
import { fetchJson, timeoutMs, Unreadable } from './fetch-json.ts';

/** Metadata of an authorization server (RFC 8414) or OpenID provider, with the address of its keys. */
export type IssuerMetadata = OAuthMetadata & { issuer: string; jwks_uri: string };

/** Returns the addresses of an issuer's metadata, in the order that the MCP specification requires. */
export const metadataUrls = (issuer: string): string[] => {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, '');
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(urls)];
};

/**
 * Reads the issuer's metadata, then its keys, each within five seconds.
 * @throws Unreadable
 */
export const readIssuer = async (issuer: string) => {
  const metadata = await findMetadata(issuer);
  const findKey = await fetchJson(metadata.jwks_uri, (json) => searchIn(json as unknown as JSONWebKeySet));
  return { metadata, findKey };
};

/**
 * Returns a search for the key that a token names. It throws `JWKInvalid` if the key is published for another algorithm
 * or purpose: reading the keys again would not help.
 * @throws JWKSInvalid if `keySet` is not a key set
 */
const searchIn = (keySet: JSONWebKeySet): JWTVerifyGetKey => {
  const find = createLocalJWKSet(keySet);
  const published = new Set(keySet.keys.map(({ kid }) => kid));
  return (header, token) =>
    find(header, token).catch((error) => {
      const isPublished = header.kid !== undefined && published.has(header.kid);
      throw error instanceof errors.JWKSNoMatchingKey && isPublished ? new errors.JWKInvalid() : error;
    });
};

/** Asks all addresses at once, so that each has the whole time, and returns the first usable document to arrive. */
const findMetadata = (issuer: string): Promise<IssuerMetadata> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const documents = metadataUrls(issuer).map((url) => fetchJson(url, (json) => checkMetadata(json, issuer), signal));
  return Promise.any(documents).catch(({ errors: problems }: AggregateError) => {
    const all = problems.map(({ message }) => message).join('; ');
    const isAway = problems.some((problem) => problem.isAway);
    throw problems.find((problem) => !(problem instanceof Unreadable)) ?? new Unreadable(all, isAway);
  });
};

const checkMetadata = (json: Record<string, unknown>, issuer: string): IssuerMetadata => {
  const { issuer: name, jwks_uri: keys } = json;
  // A document that names a different issuer must not be used (RFC 8414, § 3.3).
  if (name !== issuer) throw new Unreadable(`the document names a different issuer: ${quote(name)}`);
  const url = typeof keys === 'string' ? URL.parse(keys) : null;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && issuer.startsWith('http:'))) {
    return json as IssuerMetadata;
  }
  throw new Unreadable('the document has no usable jwks_uri');
};
