import { getOAuthProtectedResourceMetadataUrl, oauthMetadataResponse } from '@modelcontextprotocol/server';
import type { IssuerMetadata } from './issuer-metadata.ts';
import { resourceOf, type SignInSettings } from './settings.ts';

/**
 * The addresses at which clients look for metadata. Some clients drop the path of the MCP endpoint. Clients with
 * protocol revision 2025-03-26 look for the issuer's metadata on this host; so does ChatGPT, which keeps the path.
 */
const wanted =
  /^(\/mcp)?\/\.well-known\/(?:(oauth-protected-resource)|oauth-authorization-server|openid-configuration)(\/mcp)?$/;

/**
 * Returns the metadata that clients need for sign-in (RFC 9728, RFC 8414); undefined for any other path.
 * @param path the path without its query and the path of `publicUrl`
 * @param readMetadata reads the issuer's metadata
 */
export const metadataResponse = async (
  method: string,
  path: string,
  settings: SignInSettings,
  readMetadata: () => Promise<IssuerMetadata>,
): Promise<Response | undefined> => {
  const found = wanted.exec(path);
  if (!found) return undefined;
  const resourceServerUrl = new URL(resourceOf(settings));
  // The SDK knows only these two addresses.
  const url =
    found[2] === undefined
      ? new URL('/.well-known/oauth-authorization-server', resourceServerUrl)
      : getOAuthProtectedResourceMetadataUrl(resourceServerUrl);
  const response = oauthMetadataResponse(new Request(url, { method }), {
    oauthMetadata: await readMetadata(),
    resourceServerUrl,
    scopesSupported: [settings.scope],
    resourceName: 'Order License',
  });
  // Clients in web pages send this header, with their protocol revision.
  response?.headers.set('access-control-allow-headers', 'MCP-Protocol-Version');
  return response;
};
