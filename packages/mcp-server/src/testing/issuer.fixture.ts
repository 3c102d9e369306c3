import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

export const publicUrl = 'https://mcp.example.com';
export const resource = `${publicUrl}/mcp`;

/** Four key pairs that all issuers use in turn, because generating one takes long. */
const keyPairs: ReturnType<typeof generateKeyPair>[] = [];
let keysUsed = 0;
const nextKeyPair = () => {
  const index = keysUsed++ % 4;
  keyPairs[index] ??= generateKeyPair('RS256');
  return keyPairs[index];
};

/** A path with this document never gets a response. */
export const silence = Symbol('silence');

export interface TestIssuer {
  url: string;
  /** The paths requested so far. */
  asked: string[];
  /** The response for each path; {@link silence} for none. Any other path returns 404. */
  documents: Map<string, unknown>;
  /** Issues a token that is valid except for these claims; null omits a claim. */
  issue(claims?: Record<string, unknown>, header?: { alg?: string; kid?: string; typ?: string }): Promise<string>;
  /** Replaces the key that signs tokens. */
  rotate(): Promise<void>;
  published(): JWK[];
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Holds all responses until `release` is called; `came` resolves at the next request. */
  hold(): { came: Promise<void>; release(): void };
}

/**
 * Starts an identity provider on loopback, and stops it when the test ends. The provider implements the part of OAuth
 * that a resource server uses.
 */
export const startIssuer = async (path = ''): Promise<TestIssuer> => {
  const asked: string[] = [];
  const documents = new Map<string, unknown>();
  let server: Server;
  let port = 0;
  let released: Promise<void> | undefined;
  let onRequest = (): void => undefined;
  const hold: TestIssuer['hold'] = () => {
    const came = Promise.withResolvers<void>();
    onRequest = came.resolve;
    const answers = Promise.withResolvers<void>();
    released = answers.promise;
    return { came: came.promise, release: answers.resolve };
  };
  const start = async () => {
    server = createServer(async ({ url = '' }, response) => {
      asked.push(url);
      onRequest();
      await released;
      const document = documents.get(url);
      if (document === silence) return;
      response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(typeof document === 'string' ? document : JSON.stringify(document ?? {}));
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await start();
  onTestFinished(stop);

  const url = `http://127.0.0.1:${port}${path}`;
  let keyId = 0;
  let privateKey: CryptoKey;
  let keys: JWK[] = [];
  const rotate = async () => {
    const pair = await nextKeyPair();
    keyId += 1;
    privateKey = pair.privateKey;
    keys = [{ ...(await exportJWK(pair.publicKey)), kid: `key-${keyId}`, use: 'sig' }];
    documents.set(`${path}/keys`, { keys });
  };
  await rotate();
  documents.set(`/.well-known/oauth-authorization-server${path}`, {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/keys`,
    response_types_supported: ['code'],
  });

  const issue: TestIssuer['issue'] = (claims = {}, header = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: url, aud: resource, sub: 'alice', scope: 'orders:read', iat: now, exp: now + 300 };
    const given = Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== null);
    return new SignJWT(Object.fromEntries(given) as JWTPayload)
      .setProtectedHeader({ alg: 'RS256', kid: `key-${keyId}`, ...header })
      .sign(privateKey);
  };
  return { url, asked, documents, issue, rotate, published: () => keys, stop, start, hold };
};

/** Writes a file for ORDER_LICENSE_OAUTH, and removes it after the test. */
export const writeSignInFile = (settings: unknown, mode = 0o600): string => {
  const path = join(temporaryFolder(), 'oauth.json');
  writeFileSync(path, typeof settings === 'string' ? settings : JSON.stringify(settings), { mode });
  return path;
};
