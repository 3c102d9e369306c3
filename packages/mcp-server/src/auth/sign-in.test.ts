import { createHmac, generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { registerClient } from '@modelcontextprotocol/sdk/client/auth.js';
import type { JWK } from 'jose';
import { expect, onTestFinished, test, vi } from 'vitest';
import { getMe, post, serve, token as staticToken } from '../testing/http-session.fixture.ts';
import { publicUrl, resource, startIssuer, type TestIssuer, writeSignInFile } from '../testing/issuer.fixture.ts';
import { slowService } from '../testing/slow-service.fixture.ts';
import { watchStderr } from '../testing/stderr.fixture.ts';

const metadataUrl = `${publicUrl}/.well-known/oauth-protected-resource/mcp`;

interface Setup {
  subjects?: Record<string, string | true>;
  settings?: object;
  env?: Record<string, string>;
  flags?: string[];
}

/** Starts an issuer, and a server with sign-in. */
const setUp = async ({ subjects = { alice: true }, settings = {}, env = {}, flags = [] }: Setup = {}) => {
  const issuer = await startIssuer();
  const file = writeSignInFile({ publicUrl, issuer: issuer.url, subjects, ...settings });
  const served = await serve({ ORDER_LICENSE_OAUTH: file, ...env }, flags);
  const ask = async (token: string | undefined, headers: Record<string, string> = {}, body = getMe) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await post(served.url, { host: 'mcp.example.com', ...authorization, ...headers }, body);
    return { ...answer, challenge: answer.headers['www-authenticate'], message: messageOf(answer.text) };
  };
  return { ...served, issuer, file, ask };
};

const messageOf = (text: string): string | undefined =>
  text.startsWith('{') ? JSON.parse(text).error?.message : undefined;
const now = () => Math.floor(Date.now() / 1000);
const later = () => now() + 3_600;
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const withClaims = (token: string, claims: object): string => token.replace(/\.[^.]+\./, `.${encode(claims)}.`);
const claimsOf = (iss: string) => ({ iss, aud: resource, sub: 'alice', scope: 'orders:read', exp: later() });

test('serves a listed subject, and sends the token neither to the shop nor to the access log', async () => {
  const { issuer, ask, mock } = await setUp({ env: { ORDER_LICENSE_ACCESS_LOG: 'stderr' } });
  const lines = watchStderr();
  const token = await issuer.issue();
  const { status, text } = await ask(token);
  expect([status, text]).toEqual([200, expect.stringContaining('"user_id":4711')]);
  expect(mock.journal.entries()).toMatchObject([{ key: 'business', violations: [] }]);
  expect(JSON.parse(lines.join(''))).toMatchObject({ caller: { subject: 'alice' }, tool: 'order_license_get_me' });
  for (const secret of [mock.keys.business, ...token.split('.')]) expect(lines.join('')).not.toContain(secret);
});

test('returns 401 with the metadata address and scope if there is no token', async () => {
  const { ask, mock } = await setUp();
  for (const authorization of [undefined, 'Basic YTpi', 'Bearer', 'Bearer ']) {
    const { status, challenge } = await ask(undefined, authorization === undefined ? {} : { authorization });
    expect([status, challenge]).toEqual([401, `Bearer scope="orders:read", resource_metadata="${metadataUrl}"`]);
  }
  expect(mock.journal.total()).toBe(0);
});

const notAccepted = 'is not signed, or uses an algorithm that is not accepted';
const forgeries: [string, (issuer: TestIssuer) => Promise<string>, string][] = [
  ['for another audience', ({ issue }) => issue({ aud: 'https://other.example/mcp' }), 'is for a different audience'],
  ['without an audience', ({ issue }) => issue({ aud: null }), 'has no audience'],
  ['for nobody', ({ issue }) => issue({ aud: [] }), 'is for a different audience'],
  ['that has expired', ({ issue }) => issue({ exp: now() - 3_600 }), 'has expired; sign in again'],
  ['that never expires', ({ issue }) => issue({ exp: null }), 'has no expiration time'],
  ['whose expiration time is a word', ({ issue }) => issue({ exp: 'never' }), 'has no expiration time'],
  ['that is not valid yet', ({ issue }) => issue({ nbf: later() }), 'is not valid yet'],
  ['that names another issuer', ({ issue }) => issue({ iss: 'https://other.example' }), 'is from a different issuer'],
  ['that names no issuer', ({ issue }) => issue({ iss: null }), 'is from a different issuer'],
  ['without a subject', ({ issue }) => issue({ sub: null }), 'has no subject'],
  ['with a number as subject', ({ issue }) => issue({ sub: 7 }), 'has no subject'],
  ['that is unsigned', async ({ url }) => `${encode({ alg: 'none' })}.${encode(claimsOf(url))}.`, notAccepted],
  [
    'signed with the public key as a shared secret',
    async ({ url, published }) => {
      const text = `${encode({ alg: 'HS256', kid: 'key-1' })}.${encode(claimsOf(url))}`;
      return `${text}.${createHmac('sha256', JSON.stringify(published()[0])).update(text).digest('base64url')}`;
    },
    notAccepted,
  ],
  [
    'signed by another issuer whose key has the same ID',
    async ({ url }) => (await startIssuer()).issue({ iss: url }),
    'has an invalid signature',
  ],
  [
    'with a key in its own header',
    ({ issue, published }) => issue({}, { kid: 'made-up', jwk: published()[0] } as never),
    'is signed with a key that the issuer does not publish',
  ],
  [
    'of a different type',
    ({ issue }) => issue({}, { typ: 'logout+jwt' }),
    'has a `typ` header that names a different type of token',
  ],
  [
    'whose claims were changed',
    async ({ url, issue }) => withClaims(await issue(), claimsOf(url)),
    'has an invalid signature',
  ],
  ['with empty claims', async ({ issue }) => withClaims(await issue(), {}), 'has an invalid signature'],
  ['without its signature', async ({ issue }) => (await issue()).replace(/[^.]+$/, ''), 'has an invalid signature'],
  ['with a part too many', async ({ issue }) => `${await issue()}.e30`, 'is not a JWT'],
  ['with a part too few', async ({ issue }) => (await issue()).replace(/\.[^.]+$/, ''), 'is not a JWT'],
  ['with broken Base64', async ({ issue }) => (await issue()).replace(/\./g, '.=='), 'is not a JWT'],
  ['whose parts are not JSON', async () => 'AAAA.BBBB.CCCC', 'is not a JWT'],
  ['whose parts are lists', async () => 'W10.W10.W10', 'is not a JWT'],
  ['that is not a JWT', async () => 'an-opaque-token', 'is not a JWT'],
];

test.each(forgeries)('returns 401 for a token %s, and gives a reason without quoting it', async (_, forge, reason) => {
  const { issuer, ask, mock } = await setUp();
  const token = await forge(issuer);
  const { status, message, challenge, text } = await ask(token);
  expect([status, message]).toEqual([401, `The access token ${reason}.`]);
  expect(challenge).toContain(
    `error="invalid_token", error_description="The access token ${reason}", scope="orders:read"`,
  );
  for (const part of token.split('.').filter((part) => part.length > 8)) expect(text).not.toContain(part);
  expect(mock.journal.total()).toBe(0);
});

const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });

test.each<[string, JWK]>([
  ['of an unknown kind', { kty: 'XYZ' }],
  ['of another kind', { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }],
  ['without values', { kty: 'RSA' }],
  ['with malformed values', { kty: 'RSA', n: '!', e: 'AQAB' }],
  ['that is too short', rsa(1024).publicKey.export({ format: 'jwk' })],
  ['that is private', rsa(2048).privateKey.export({ format: 'jwk' })],
  ['for encryption', { kty: 'RSA', use: 'enc', n: 'sXch', e: 'AQAB' }],
  ['for another algorithm', { kty: 'RSA', alg: 'RS384', n: 'sXch', e: 'AQAB' }],
])('returns 401 for each token that names a published key %s', async (_what, key) => {
  const { issuer, ask } = await setUp();
  issuer.documents.set('/keys', { keys: [{ ...key, kid: 'odd' }, ...issuer.published()] });
  const token = await issuer.issue({}, { kid: 'odd' });
  for (let i = 0; i < 2; i++) {
    expect(await ask(token)).toMatchObject({
      status: 401,
      message: 'The access token names a published key that cannot verify its signature.',
    });
  }
  expect((await ask(await issuer.issue())).status).toBe(200);
});

test('accepts every `typ` that an access token can have', async () => {
  const { issuer, ask } = await setUp();
  for (const typ of ['at+jwt', 'application/at+jwt', 'AT+JWT', 'JWT'])
    expect((await ask(await issuer.issue({}, { typ }))).status).toBe(200);
});

test.each([
  [{ scope: 'profile orders:read' }, 200],
  [{ scope: null, scp: 'orders:read' }, 200],
  [{ scope: null, scp: ['profile', 'orders:read'] }, 200],
  [{ scope: 'orders:readwrite orders' }, 403],
  [{ scope: null }, 403],
  [{ scope: { 'orders:read': true } }, 403],
])('for the scopes %j, returns %i and names the required scope if it is missing', async (claims, expected) => {
  const { issuer, ask } = await setUp();
  const { status, challenge } = await ask(await issuer.issue(claims));
  expect(status).toBe(expected);
  if (expected === 403)
    expect(challenge).toMatch(/^Bearer error="insufficient_scope", .*scope="orders:read", resource_m/);
});

const unlisted = ['bob', 'Alice', 'alice ', '__proto__', 'constructor'];
test.each(unlisted)('returns 403 without a challenge for the unlisted subject %j, and names it', async (sub) => {
  const { issuer, ask, mock } = await setUp();
  const { status, message, challenge } = await ask(await issuer.issue({ sub }));
  const words = `This account is not one of the server's subjects. Ask the server's operator to add the subject ${JSON.stringify(sub)}.`;
  expect([status, message, challenge]).toEqual([403, words, undefined]);
  expect(mock.journal.total()).toBe(0);
});

test('accepts a custom scope, and each audience in a list, and names the list in the access log', async () => {
  const settings = { audience: ['api://orders', 'api://old'], scope: 'read' };
  const { issuer, ask } = await setUp({ settings, env: { ORDER_LICENSE_ACCESS_LOG: 'stderr' } });
  for (const aud of ['api://orders', 'api://old', ['x', 'api://orders']])
    expect((await ask(await issuer.issue({ aud, scope: 'read' }))).status).toBe(200);
  const lines = watchStderr();
  expect((await ask(await issuer.issue({ scope: 'read' }))).status).toBe(401);
  expect(lines.join()).toContain('(aud "https://mcp.example.com/mcp", expected ["api://orders","api://old"])');
});

const below = `${publicUrl}/tools/orders`;

test('below the path of publicUrl, the resource and its metadata have this path', async () => {
  const { ask, url, issuer } = await setUp({ settings: { publicUrl: below } });
  const metadata = `${publicUrl}/.well-known/oauth-protected-resource/tools/orders/mcp`;
  expect((await ask(undefined)).challenge).toContain(`resource_metadata="${metadata}"`);
  const response = await fetch(new URL(new URL(metadata).pathname, url));
  expect(await response.json()).toMatchObject({ resource: `${below}/mcp`, authorization_servers: [issuer.url] });
  expect((await ask(await issuer.issue({ aud: `${below}/mcp` }))).status).toBe(200);
  expect((await ask(await issuer.issue())).status).toBe(401);
});

test.each([
  ['/mcp', 200],
  ['/mcp/', 200],
  ['/tools/orders/mcp', 200],
  ['/tools/orders/mcp/?x=1', 200],
  ['/tools/ordersmcp', 404],
  ['/tools/mcp', 404],
  ['/tools/orders/tools/orders/mcp', 404],
])('behind a proxy that removes or keeps the path of publicUrl, a call at %s returns %i', async (path, expected) => {
  const { url, issuer } = await setUp({ settings: { publicUrl: below } });
  const authorization = `Bearer ${await issuer.issue({ aud: `${below}/mcp` })}`;
  const { status, text } = await post(new URL(path, url).href, { authorization }, getMe);
  expect([status, text.includes('"user_id":4711')]).toEqual([expected, expected === 200]);
});

test('behind a proxy that removes or keeps the path of publicUrl, serves the metadata and the health check', async () => {
  const { url } = await setUp({ settings: { publicUrl: below } });
  const statusOf = async (path: string) => (await fetch(new URL(path, url))).status;
  for (const path of [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-protected-resource/tools/orders',
    '/tools/orders/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server/tools/orders/mcp',
    '/tools/orders/mcp/.well-known/openid-configuration',
    '/tools/orders/healthz',
  ])
    expect([path, await statusOf(path)]).toEqual([path, 200]);
  for (const path of ['/oauth-protected-resource/tools', '/oauth-protected-resource/other/mcp'])
    expect([path, await statusOf(`/.well-known${path}`)]).toEqual([path, 404]);
});

test("uses a subject's own API key, or the server's if the subject has none", async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { issuer, ask, file, mock } = await setUp();
  const subjects = { alice: true, bob: mock.keys.otherAccount };
  writeFileSync(file, JSON.stringify({ publicUrl, issuer: issuer.url, subjects }));
  vi.advanceTimersByTime(2_000);
  expect((await ask(await issuer.issue({ sub: 'bob' }))).text).toContain('"user_id":5823');
  expect((await ask(await issuer.issue())).text).toContain('"user_id":4711');
});

test("an API key in a header doesn't replace sign-in, and X-API-Key is ignored for a subject with a key", async () => {
  const subjects = { alice: 'key-of-alice' };
  const { issuer, ask, mock } = await setUp({ subjects, env: { ORDER_LICENSE_API_KEY: '' } });
  expect((await ask(undefined, { 'x-order-license-key': mock.keys.business })).status).toBe(401);
  expect((await ask(undefined, { 'x-api-key': mock.keys.business })).status).toBe(401);
  const token = await issuer.issue();
  expect((await ask(token, { 'x-order-license-key': mock.keys.business })).text).toContain('"user_id":4711');
  expect((await ask(token, { 'x-api-key': mock.keys.business })).text).toContain('authentication:');
});

test('the static token also works if sign-in is on', async () => {
  const { issuer, ask } = await setUp({ env: { ORDER_LICENSE_ACCESS_TOKEN: staticToken } });
  expect((await ask(staticToken)).status).toBe(200);
  expect((await ask(await issuer.issue())).status).toBe(200);
  expect(await ask(`${staticToken}x`)).toMatchObject({
    status: 401,
    message: "The access token is not a JWT, and not this server's own token.",
    challenge: expect.stringContaining(metadataUrl),
  });
});

test('if the issuer is unreachable at startup, the static token works and sign-in returns 503', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const issuer = await startIssuer();
  await issuer.stop();
  const file = writeSignInFile({ publicUrl, issuer: issuer.url, subjects: { alice: true } });
  const { url } = await serve({ ORDER_LICENSE_OAUTH: file, ORDER_LICENSE_ACCESS_TOKEN: staticToken });
  const ask = (token: string) => post(url, { authorization: `Bearer ${token}` }, getMe);
  expect((await ask(staticToken)).status).toBe(200);
  const rejection = await ask(await issuer.issue());
  expect(rejection).toMatchObject({ status: 503, headers: { 'retry-after': '10' } });
  expect(rejection.headers).not.toHaveProperty('www-authenticate'); // a new login would change nothing
  expect((await fetch(new URL('/.well-known/oauth-protected-resource/mcp', url))).status).toBe(503);
});

const expected = 'expected "https://mcp.example.com/mcp"';
test.each<[string, Record<string, unknown>, string]>([
  ['subject', { sub: 'dora "x"\n\u202e' }, 'one of the server\'s subjects. (subject "dora \\"x\\"\\n\\u202e")'],
  ['audience', { aud: 'https://api' }, `a different audience. (aud "https://api", ${expected})`],
  ['issuer', { iss: 'https://other' }, 'a different issuer. (iss "https://other", expected "http://'],
  ['scopes', { scope: 'profile' }, 'sign in again and grant this scope. (scopes ["profile"])'],
])('with the access log, the line about a rejected token names its %s', async (_name, claims, words) => {
  const withLog = await setUp({ env: { ORDER_LICENSE_ACCESS_LOG: 'stderr' } });
  const without = await setUp();
  const lines = watchStderr();
  await withLog.ask(await withLog.issuer.issue(claims));
  await without.ask(await without.issuer.issue(claims));
  expect(lines).toEqual([expect.stringContaining(words), expect.stringMatching(/\.\n$/)]);
});

test('does not quote a token with an invalid signature', async () => {
  const { ask } = await setUp({ env: { ORDER_LICENSE_ACCESS_LOG: 'stderr' } });
  const lines = watchStderr();
  await ask(await (await startIssuer()).issue({ aud: 'canary', sub: 'canary' }));
  expect(lines).toEqual([expect.not.stringContaining('canary')]);
});

test('with sign-in, accepts requests through a proxy, but only for the host in publicUrl', async () => {
  const { issuer, ask } = await setUp();
  const token = await issuer.issue();
  expect((await ask(token, { 'x-forwarded-for': '203.0.113.7' })).status).toBe(200);
  expect((await ask(token, { host: 'other.example' })).status).toBe(403);
});

test('counts calls by subject, even if a call has a different API key', async () => {
  const service = await slowService();
  const env = { ORDER_LICENSE_BASE_URL: service.baseUrl };
  const { issuer, ask } = await setUp({ subjects: { alice: true, bob: true }, env, flags: ['--max-per-caller', '1'] });
  const [alice, again, bob] = await Promise.all(
    [{}, { jti: '2' }, { sub: 'bob' }].map((claims) => issuer.issue(claims)),
  );
  const running = ask(alice);
  await service.came;
  // One call runs and four wait, so the fifth of these is rejected.
  const waiting = Array.from({ length: 5 }, () => ask(again, { 'x-order-license-key': 'another-key' }));
  expect((await Promise.race(waiting)).text).toContain('"reason":"queue_full"');
  const other = ask(bob);
  service.answerAll();
  expect([(await running).status, (await other).status]).toEqual([200, 200]);
});

test.each([
  ['resource', '/.well-known/oauth-protected-resource/mcp'],
  ['resource', '/.well-known/oauth-protected-resource/mcp/'],
  ['resource', '/.well-known/oauth-protected-resource'],
  ['issuer', '/.well-known/oauth-authorization-server'],
  ['issuer', '/.well-known/oauth-authorization-server/mcp'],
  ['issuer', '/.well-known/openid-configuration'],
  ['issuer', '/.well-known/openid-configuration/mcp'],
  ['issuer', '/mcp/.well-known/openid-configuration'],
])('any origin can read the metadata of the %s at %s', async (kind, path) => {
  const { url, issuer } = await setUp();
  const request = (init: RequestInit) => fetch(new URL(`${path}?x=1`, url), init);
  const response = await request({ headers: { origin: 'https://app.example' } });
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  const resourceMetadata = {
    resource: 'https://mcp.example.com/mcp',
    authorization_servers: [issuer.url],
    scopes_supported: ['orders:read'],
    resource_name: 'Order License',
  };
  const issuerMetadata = issuer.documents.get('/.well-known/oauth-authorization-server');
  expect(await response.json()).toEqual(kind === 'resource' ? resourceMetadata : issuerMetadata);
  // Clients in web pages send their protocol revision with this request.
  const headers = { 'access-control-request-headers': 'mcp-protocol-version' };
  const preflight = await request({ method: 'OPTIONS', headers });
  expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
    204,
    'MCP-Protocol-Version',
  ]);
  expect((await request({ method: 'POST' })).status).toBe(405);
  const head = await request({ method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test.each([
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/mcp/.well-known/openid-configuration',
  '/register',
])('without sign-in, the response at %s says that sign-in is off, and the request is not logged', async (path) => {
  const lines = watchStderr();
  for (const [env, words] of [
    [{ ORDER_LICENSE_ACCESS_TOKEN: staticToken }, 'This server does not use sign-in; send its access token as'],
    [{}, 'This server does not use sign-in.'],
  ] as const) {
    const { url } = await serve(env);
    const response = await fetch(new URL(path, url));
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining(words)]);
  }
  expect(lines).toEqual([]);
});

test('without sign-in, a client that tries to register gets an OAuth error, whose description it can show', async () => {
  const { url } = await serve({ ORDER_LICENSE_ACCESS_TOKEN: staticToken });
  const clientMetadata = { redirect_uris: ['http://localhost:3334/oauth/callback'] };
  await expect(registerClient(new URL(url).origin, { clientMetadata })).rejects.toThrow(
    /^This server does not use sign-in; send its access token as Authorization: Bearer\.$/,
  );
});

test('pages from an allowed origin can read the challenge', async () => {
  const { ask } = await setUp({ flags: ['--allow-origin', 'https://app.example'] });
  const { headers } = await ask(undefined, { origin: 'https://app.example' });
  expect(headers['access-control-expose-headers']).toBe('WWW-Authenticate');
});
