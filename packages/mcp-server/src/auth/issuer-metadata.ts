import type { OAuthMetadata } from '@modelcontextprotocol/server';
import { quote } from '../log/quote.ts';
import type { FetchJson, FetchProblem } from './fetch-json.ts';

/** Metadata of an authorization server (RFC 8414) or OpenID provider, with the address of its keys. */
export type IssuerMetadata = OAuthMetadata & { issuer: string; jwks_uri: string };

/** In the order of the MCP specification. */
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

/** @returns the first usable metadata, or why each is unusable */
export const findMetadata = async (
  issuer: string,
  fetchJson: FetchJson,
): Promise<{ metadata: IssuerMetadata } | FetchProblem> => {
  const problems: FetchProblem[] = [];
  for (const url of metadataUrls(issuer)) {
    const found = await fetchJson(url);
    const checked = 'problem' in found ? found : checkMetadata(found.json, issuer);
    if ('metadata' in checked) return checked;
    problems.push({ ...checked, problem: `${url}: ${checked.problem}` });
  }
  return {
    problem: problems.map(({ problem }) => problem).join('; '),
    isAway: problems.every(({ isAway }) => isAway),
  };
};

const checkMetadata = (json: Record<string, unknown>, issuer: string): { metadata: IssuerMetadata } | FetchProblem => {
  const { issuer: name, jwks_uri: keys } = json;
  // RFC 8414, § 3.3: a document that names another issuer must not be used.
  if (name !== issuer) return unusable(`it names the issuer ${quote(name)}`);
  const url = typeof keys === 'string' ? URL.parse(keys) : null;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && issuer.startsWith('http:'))) {
    return { metadata: json as IssuerMetadata };
  }
  return unusable('it has no usable jwks_uri');
};

const unusable = (problem: string): FetchProblem => ({ problem, isAway: false });
