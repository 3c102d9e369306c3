import { oauthMetadataResponse } from '@modelcontextprotocol/server';
import type { IssuerMetadata } from './issuer-metadata.ts';
import { resourceOf, type SignInSettings } from './settings.ts';

/** Clients drop the path, or look for the issuer's on this host: those of 2025-03-26 and, with the path, ChatGPT. */
const wanted =
  /^(\/mcp)?\/\.well-known\/(?:(oauth-protected-resource)|oauth-authorization-server|openid-configuration)(\/mcp)?$/;

/**
 * The metadata that clients need to sign somebody in (RFC 9728, RFC 8414); undefined for any other path.
 * @param path without query
 * @param readMetadata reads the issuer's; undefined while it can't be reached: the response is then 503
 */
export const metadataResponse = async (
  method: string,
  path: string,
  settings: SignInSettings,
  readMetadata: () => Promise<IssuerMetadata | undefined>,
): Promise<Response | undefined> => {
  const found = wanted.exec(path);
  if (!found) return undefined;
  const metadata = await readMetadata();
  if (!metadata) {
    const headers = { 'retry-after': '10' };
    return Response.json({ error: 'temporarily_unavailable' }, { status: 503, headers });
  }
  // The SDK's own two paths.
  const document = found[2] === undefined ? 'oauth-authorization-server' : 'oauth-protected-resource/mcp';
  const response = oauthMetadataResponse(new Request(`${settings.publicUrl}/.well-known/${document}`, { method }), {
    oauthMetadata: metadata,
    resourceServerUrl: new URL(resourceOf(settings)),
    scopesSupported: [settings.scope],
    resourceName: 'Order License',
  });
  // Clients in web pages send their protocol revision.
  response?.headers.set('access-control-allow-headers', 'MCP-Protocol-Version');
  return response;
};
