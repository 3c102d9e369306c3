import type { OAuthMetadata } from '@modelcontextprotocol/server';
import type { FetchJson } from './fetch-json.ts';

/** Metadata of an authorization server (RFC 8414) or OpenID provider, with the address of its keys. */
export type IssuerMetadata = OAuthMetadata & { issuer: string; jwks_uri: string };

/** In the order in which the MCP specification has clients ask. */
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

/** @returns the first metadata that can be used, or why each could not */
export const findMetadata = async (issuer: string, fetchJson: FetchJson): Promise<IssuerMetadata | string> => {
  const problems: string[] = [];
  for (const url of metadataUrls(issuer)) {
    const found = await fetchJson(url);
    const problem = typeof found === 'string' ? found : findProblem(found, issuer);
    if (problem === undefined) return found as IssuerMetadata;
    problems.push(`${url}: ${problem}`);
  }
  return problems.join('; ');
};

const findProblem = (found: Record<string, unknown>, issuer: string): string | undefined => {
  const { issuer: name, jwks_uri: keys } = found;
  // RFC 8414, § 3.3: a document that names another issuer must not be used.
  if (name !== issuer) return `it names the issuer ${JSON.stringify(String(name).slice(0, 200))}`;
  const url = typeof keys === 'string' ? URL.parse(keys) : null;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && issuer.startsWith('http:'))) return undefined;
  return 'it has no usable jwks_uri';
};
