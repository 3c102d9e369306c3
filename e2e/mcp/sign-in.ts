import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen, type MockServer } from '../../packages/mock-api/src/index.ts';
import { freePort } from '../../packages/testing/src/free-port.ts';
import { type HttpProcess, startHttp } from '../../packages/testing/src/http-process.ts';
import { cli } from './built-server.ts';
import { clientMetadataUrl, type IdentityProvider, startIdentityProvider } from './identity-provider.ts';
import { clientMetadata } from './oauth-client.ts';

/** An MCP server whose users sign in at an identity provider. Alice has the server's own API key, Bob another one. */
export interface SignIn {
  idp: IdentityProvider;
  mock: MockServer;
  server: HttpProcess;
  /** A folder for further files. */
  folder: string;
  publicUrl: string;
  /** The address of `/mcp` below `publicUrl`. */
  url: string;
  stop(): Promise<void>;
}

/** Starts all three. @param path the path of `publicUrl`; with one, a proxy has to listen on the port of `publicUrl` */
export const startSignIn = async (path = ''): Promise<SignIn> => {
  const folder = mkdtempSync(join(tmpdir(), 'order-license-e2e-'));
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}${path}`;
  const idp = await startIdentityProvider(await freePort(), { ...clientMetadata, client_id: clientMetadataUrl });
  const mock = await listen({ limit: 'off' });
  const file = join(folder, 'oauth.json');
  const subjects = { alice: true, bob: mock.keys.otherAccount };
  writeFileSync(file, JSON.stringify({ publicUrl, issuer: idp.issuer, subjects }), { mode: 0o600 });
  const server = await startHttp([cli, 'http', '--port', path ? '0' : String(port)], {
    ORDER_LICENSE_BASE_URL: mock.baseUrl,
    ORDER_LICENSE_API_KEY: mock.keys.business,
    ORDER_LICENSE_OAUTH: file,
  });
  const stop = async () => {
    await server.stop();
    await Promise.all([idp.stop(), mock.close()]);
    rmSync(folder, { recursive: true });
  };
  return { idp, mock, server, folder, publicUrl, url: `${publicUrl}/mcp`, stop };
};
