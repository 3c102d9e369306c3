import { once } from 'node:events';
import type { Server } from 'node:http';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';

/** The part of oidc-provider used here, which is published without types. */
type OidcProvider = new (issuer: string, configuration: object) => { listen(port: number, host: string): Server };

/** The address at which the client publishes its client ID metadata document. The host does not exist here. */
export const clientMetadataUrl = 'https://client.example/oauth/metadata.json';

export interface IdentityProvider {
  issuer: string;
  /** Sets the lifetime of new access tokens, s. */
  setLifetime(seconds: number): void;
  /** Returns a token that is signed with the issuer's key but was never issued. */
  forge(claims: object): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts oidc-provider as an operator would configure it for MCP: with dynamic registration, client ID metadata and
 * resource indicators.
 */
export const startIdentityProvider = async (port: number, clientMetadata: object): Promise<IdentityProvider> => {
  const { default: Provider } = (await import('oidc-provider' as string)) as { default: OidcProvider };
  const issuer = `http://127.0.0.1:${port}`;
  let lifetime = 300;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key: JWK = { ...(await exportJWK(privateKey)), kid: 'e2e', alg: 'RS256', use: 'sig' };
  const provider = new Provider(issuer, {
    jwks: { keys: [key] },
    scopes: ['openid', 'offline_access', 'orders:read'],
    cookies: { keys: ['a-secret-of-the-cookies'] },
    // Replaces a fetch over the internet, and returns this one document.
    fetch: async (url: string) =>
      url === clientMetadataUrl ? Response.json(clientMetadata) : Response.json({}, { status: 404 }),
    features: {
      devInteractions: { enabled: true }, // a login form that accepts every name
      registration: { enabled: true },
      revocation: { enabled: true },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async (_context: unknown, resource: string) => ({
          scope: 'orders:read',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: lifetime,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  const server = provider.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    issuer,
    setLifetime: (seconds) => {
      lifetime = seconds;
    },
    forge: async (claims) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: String(key.kid), typ: 'at+jwt' })
        .sign(await importJWK(key)),
    stop,
  };
};

/**
 * Does what a user does in the browser: follows redirects, logs in by name and consents.
 * @param to the address at which the client waits for the browser
 * @returns the browser's final address
 */
export const logIn = async (authorizationUrl: URL, name: string, to: string): Promise<URL> => {
  const cookies = new Map<string, string>();
  const forms = [`prompt=login&login=${encodeURIComponent(name)}&password=any`, 'prompt=consent'];
  let url = authorizationUrl;
  let body: string | undefined;
  for (let steps = 0; steps < 12; steps += 1) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
    const method = body === undefined ? 'GET' : 'POST';
    const response = await fetch(url, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) });
    for (const line of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(key, value);
    }
    const location = response.headers.get('location');
    body = undefined;
    if (location) {
      url = new URL(location, url);
      if (url.href.startsWith(to)) return url;
    } else {
      const page = await response.text();
      body = forms.shift();
      if (response.status !== 200 || body === undefined)
        throw new Error(`The login ends at ${url}: ${page.slice(0, 500)}`);
    }
  }
  throw new Error('The login does not end.');
};
