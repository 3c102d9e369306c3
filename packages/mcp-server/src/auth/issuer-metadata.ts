import type { OAuthMetadata } from '@modelcontextprotocol/server';
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
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
 * Reads the issuer's metadata and keys once, within five seconds.
 * @throws Unreadable
 */
export const readIssuer = async (issuer: string) => {
  const signal = AbortSignal.timeout(timeoutMs);
  const metadata = await findMetadata(issuer, signal);
  // `createLocalJWKSet` throws if the JSON is not a key set.
  const findKey = await read(metadata.jwks_uri, signal, (json) => createLocalJWKSet(json as unknown as JSONWebKeySet));
  return { metadata, findKey };
};

/** Returns the first usable metadata document. */
const findMetadata = async (issuer: string, signal: AbortSignal): Promise<IssuerMetadata> => {
  const problems: Unreadable[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      return await read(url, signal, (json) => checkMetadata(json, issuer));
    } catch (error) {
      problems.push(error as Unreadable);
    }
  }
  const all = problems.map(({ message }) => message).join('; ');
  throw new Unreadable(
    all,
    problems.every(({ isAway }) => isAway),
  );
};

/**
 * Reads a document and checks it.
 * @throws Unreadable; the message contains the document's address
 */
const read = async <Value>(url: string, signal: AbortSignal, check: (json: Record<string, unknown>) => Value) => {
  try {
    return check(await fetchJson(url, signal));
  } catch (error) {
    const { message, isAway } = error as Unreadable;
    throw new Unreadable(`${url}: ${message}`, isAway);
  }
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
