import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installClients } from './mcp/install.ts';
import { postToolCall } from './mcp/post-tool-call.ts';
import type { SignIn } from './mcp/sign-in.ts';

installClients();
const { clientMetadataUrl } = await import('./mcp/identity-provider.ts');
const { createOAuthClient } = await import('./mcp/oauth-client.ts');
const { readThroughMcpRemote } = await import('./mcp/mcp-remote-login.ts');
const { startSignIn } = await import('./mcp/sign-in.ts');

let signIn: SignIn;
let url: string;
beforeAll(async () => {
  signIn = await startSignIn();
  ({ url } = signIn);
});
afterAll(() => signIn?.stop());

/** Calls a tool once with this access token, and returns the HTTP response, which can be a rejection. */
const ask = async (token: string): Promise<{ status: number; challenge: string; text: string }> => {
  const response = await postToolCall(url, 'order_license_get_me', { authorization: `Bearer ${token}` });
  const challenge = response.headers.get('www-authenticate') ?? '';
  return { status: response.status, challenge, text: await response.text() };
};

const getMe = { name: 'order_license_get_me', arguments: {} };

test.each([1, 2] as const)('a client of SDK %i finds the issuer, registers, signs in and calls a tool', async (sdk) => {
  const alice = createOAuthClient(url, 'alice', { sdk });
  const client = await alice.connect();
  expect((await client.listTools()).tools).toHaveLength(3);
  expect(await client.callTool(getMe)).toMatchObject({ structuredContent: { user_id: 4711 } });
  expect(alice.clientId()).not.toContain('https:');
  expect(alice.logins()).toBe(1);
  await client.close();
});

test('a client with a client ID metadata document needs no registration; each subject has its own key', async () => {
  const bob = createOAuthClient(url, 'bob', { metadataUrl: clientMetadataUrl });
  const client = await bob.connect();
  expect(bob.clientId()).toBe(clientMetadataUrl);
  expect(await client.callTool(getMe)).toMatchObject({ structuredContent: { user_id: 5823 } });
  await client.close();
});

test('mcp-remote signs a user in for a client that supports only stdio', async () => {
  const seen = await readThroughMcpRemote(url, 'bob');
  expect(seen).toEqual({
    tools: ['order_license_get_me', 'order_license_get_order', 'order_license_list_orders'],
    user: 5823,
  });
});

test('a user missing from the file can log in but not call tools, and is not asked to log in again', async () => {
  const carol = createOAuthClient(url, 'carol');
  await expect(carol.connect()).rejects.toThrow(/not one of the server's subjects/);
  expect(carol.logins()).toBe(1);
});

test('a client refreshes an expired access token without a new login', async () => {
  signIn.idp.setLifetime(1);
  const alice = createOAuthClient(url, 'alice');
  const client = await alice.connect();
  const first = alice.tokens()?.access_token ?? '';
  expect((await ask(first)).status).toBe(200);
  signIn.idp.setLifetime(300);
  await setTimeout(33_000); // longer than the token's lifetime of a second plus the allowed clock skew of 30 s
  expect(await ask(first)).toMatchObject({ status: 401, challenge: expect.stringContaining('has expired') });
  expect(await client.callTool(getMe)).toMatchObject({ structuredContent: { user_id: 4711 } });
  expect(alice.tokens()?.access_token).not.toBe(first);
  expect(alice.logins()).toBe(1);
  await client.close();
});

test('prints no key, token or subject', () => {
  const { keys } = signIn.mock;
  const printed = signIn.server.printed();
  expect(printed).toContain('401 The access token has expired; sign in again.');
  for (const secret of [keys.business, keys.otherAccount, 'eyJ', 'alice', 'carol']) {
    expect(printed).not.toContain(secret);
  }
});
