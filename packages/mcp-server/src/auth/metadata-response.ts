import { oauthMetadataResponse } from '@modelcontextprotocol/server';
import type { IssuerMetadata } from './issuer-metadata.ts';
import { resourceOf, type SignInSettings } from './settings.ts';

const wellKnown = '/.well-known';
const resourcePath = `${wellKnown}/oauth-protected-resource/mcp`;
const issuerPath = `${wellKnown}/oauth-authorization-server`;

/** Where clients look, and which of the SDK's two documents they find there. */
const documents: Readonly<Record<string, string>> = {
  [resourcePath]: resourcePath,
  // For clients that drop the path.
  [`${wellKnown}/oauth-protected-resource`]: resourcePath,
  // The issuer's, on this server's host: for clients of 2025-03-26 and, with the path, ChatGPT.
  [issuerPath]: issuerPath,
  [`${issuerPath}/mcp`]: issuerPath,
  [`${wellKnown}/openid-configuration`]: issuerPath,
  [`${wellKnown}/openid-configuration/mcp`]: issuerPath,
  [`/mcp${wellKnown}/openid-configuration`]: issuerPath,
};

/**
 * The metadata that clients need to sign somebody in (RFC 9728, RFC 8414); undefined for any other path.
 * @param path without query
 * @param readMetadata reads the issuer's; undefined while it can't be reached, which is answered with 503
 */
export const metadataResponse = async (
  method: string,
  path: string,
  settings: SignInSettings,
  readMetadata: () => Promise<IssuerMetadata | undefined>,
): Promise<Response | undefined> => {
  const document = Object.hasOwn(documents, path) ? documents[path] : undefined;
  if (document === undefined) return undefined;
  const metadata = await readMetadata();
  if (!metadata) {
    const headers = { 'retry-after': '10' };
    return Response.json({ error: 'temporarily_unavailable' }, { status: 503, headers });
  }
  const response = oauthMetadataResponse(new Request(settings.publicUrl + document, { method }), {
    oauthMetadata: metadata,
    resourceServerUrl: new URL(resourceOf(settings)),
    scopesSupported: [settings.scope],
    resourceName: 'Order License',
  });
  // Clients in web pages send their protocol revision.
  response?.headers.set('access-control-allow-headers', 'MCP-Protocol-Version');
  return response;
};
