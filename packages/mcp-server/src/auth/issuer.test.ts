import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { resource, silence, startIssuer, type TestIssuer } from '../testing/issuer.fixture.ts';
import { startPlainServer } from '../testing/plain-server.fixture.ts';
import { watchStderr } from '../testing/stderr.fixture.ts';
import { openIssuer } from './issuer.ts';
import { metadataUrls } from './issuer-metadata.ts';
import { checkJwt } from './jwt.ts';

/** Opens this issuer, or starts one, in virtual time: `pass` lets time pass. */
const open = async (given?: TestIssuer) => {
  const issuer = given ?? (await startIssuer());
  const lines = watchStderr();
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const opened = await openIssuer(issuer.url);
  const check = (token: string) => checkJwt(token, opened, { issuer: issuer.url, audience: resource });
  return { issuer, opened, check, lines, pass: (seconds: number) => void vi.advanceTimersByTime(seconds * 1000) };
};

const alice = { subject: 'alice' };
const seconds = () => Math.floor(Date.now() / 1000);

test('requests metadata at the addresses in the MCP specification', () => {
  expect(metadataUrls('https://id.example.com/')).toEqual([
    'https://id.example.com/.well-known/oauth-authorization-server',
    'https://id.example.com/.well-known/openid-configuration',
  ]);
  expect(metadataUrls('https://id.example.com/realms/shop')).toEqual([
    'https://id.example.com/.well-known/oauth-authorization-server/realms/shop',
    'https://id.example.com/.well-known/openid-configuration/realms/shop',
    'https://id.example.com/realms/shop/.well-known/openid-configuration',
  ]);
});

test('reports an issuer that is unreachable at startup, and uses it once it is reachable', async () => {
  const issuer = await startIssuer();
  const token = await issuer.issue();
  await issuer.stop();
  const { check, opened, lines, pass } = await open(issuer);
  expect(lines).toEqual([
    expect.stringMatching(
      /cannot be read \(http:.*oauth-authorization-server: ECONNREFUSED; .* Until they can be read, requests with this issuer's tokens get a 503 response\.\n$/,
    ),
  ]);
  await expect(check(token)).rejects.toMatchObject({ status: 503 });
  await expect(opened.metadata()).rejects.toMatchObject({ status: 503, details: { retryAfter: 10 } });
  await issuer.start();
  await expect(check(token)).rejects.toMatchObject({ status: 503 }); // too soon after the last attempt
  pass(11);
  expect(await check(token)).toMatchObject(alice);
  expect(await opened.metadata()).toMatchObject({ issuer: issuer.url });
  expect(lines.slice(1)).toEqual(["order-license-mcp: The issuer's metadata and keys can be read again.\n"]);
});

test.each<[string, string, RequestListener]>([
  ...[408, 425, 429, 502, 503].map((status): [string, string, RequestListener] => [
    `returns ${status}`,
    `HTTP status ${status}`,
    // One address without the document does not make the other one's failure final.
    ({ url = '' }, response) => response.writeHead(url.includes('openid') ? status : 404).end(),
  ]),
  ['closes the connection without a response', '', (_, response) => response.destroy()],
  ['closes the connection within the body', '', (_, response) => response.write('{', () => response.destroy())],
])('at startup, an issuer that %s counts as unreachable', async (_name, why, listener) => {
  const { lines } = await open({ url: await startPlainServer(listener) } as TestIssuer);
  expect(lines).toEqual([expect.stringContaining('Until they can be read')]);
  expect(lines[0]).toContain(why);
});

test('uses the metadata at one address while another address does not respond', async () => {
  const forever = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  onTestFinished(() => forever.mockRestore());
  const issuer = await startIssuer();
  const [from = '', to = ''] = metadataUrls(issuer.url).map((url) => new URL(url).pathname);
  issuer.documents.set(to, issuer.documents.get(from));
  issuer.documents.set(from, silence);
  const { check } = await open(issuer);
  expect(await check(await issuer.issue())).toMatchObject(alice);
});

test('tolerates clocks that differ by half a minute', async () => {
  const { issuer, check } = await open();
  vi.setSystemTime(seconds() * 1000);
  expect(await check(await issuer.issue({ exp: seconds() - 29, nbf: seconds() + 30 }))).toMatchObject(alice);
  await expect(check(await issuer.issue({ exp: seconds() - 30 }))).rejects.toThrow('has expired');
  await expect(check(await issuer.issue({ nbf: seconds() + 31 }))).rejects.toThrow('is not valid yet');
});

const different = 'the document names a different issuer: ';
test.each<[string, unknown, string]>([
  ['a different issuer', { issuer: 'https://other.example/' }, `${different}"https://other.example/"`],
  ["an issuer that isn't a string", { issuer: { toString: null } }, `${different}{"toString":null}`],
  ['an issuer that contains invisible characters', { issuer: 'x\u2028\u009b' }, `${different}"x\\u2028\\u009b"`],
  ['no URL for the keys', { jwks_uri: undefined }, 'the document has no usable jwks_uri'],
  ['an invalid URL for the keys', { jwks_uri: 'keys' }, 'the document has no usable jwks_uri'],
  ['HTML instead of JSON', '<html>', 'not JSON'],
  ['a list instead of an object', '[]', 'not a JSON object'],
])('at startup, rejects metadata with %s', async (_name, change, why) => {
  const issuer = await startIssuer();
  const path = '/.well-known/oauth-authorization-server';
  const usual = issuer.documents.get(path) as object;
  issuer.documents.set(path, typeof change === 'string' ? change : { ...usual, ...(change as object) });
  await expect(openIssuer(issuer.url)).rejects.toThrow(why);
});

test('at startup, rejects a keys document that is too long or not a key set', async () => {
  const issuer = await startIssuer();
  issuer.documents.set('/keys', { keys: 'none' });
  await expect(openIssuer(issuer.url)).rejects.toThrow(/\/keys: JSON Web Key Set malformed/);
  issuer.documents.set('/keys', { keys: [], more: 'x'.repeat(2_000_000) });
  await expect(openIssuer(issuer.url)).rejects.toThrow(/\/keys: longer than 1048576 bytes/);
});

test.each([
  ['an ID of its own', {}, 'is signed with a key that the issuer does not publish'],
  ['the ID of the old one', { kid: 'static' }, 'has an invalid signature'],
  ['no ID, like the old one', { kid: undefined }, 'has an invalid signature'],
])("finds the issuer's new key with the first token signed with it if the key has %s", async (_what, id, why) => {
  const issuer = await startIssuer();
  const publish = () => issuer.documents.set('/keys', { keys: issuer.published().map((key) => ({ ...key, ...id })) });
  const issue = () => issuer.issue({}, id as { kid: string });
  publish();
  const { check, pass } = await open(issuer);
  const old = await issue();
  expect(await check(old)).toMatchObject(alice);
  await issuer.rotate();
  publish();
  pass(11);
  expect(await check(await issue())).toMatchObject(alice);
  await expect(check(old)).rejects.toThrow(why);
});

test('tokens with invalid signatures cause at most one request for the keys every ten seconds', async () => {
  const { issuer, check, pass } = await open();
  pass(11);
  issuer.asked.length = 0;
  const signature = (await issuer.issue()).split('.').at(-1);
  for (let i = 0; i < 20; i++) {
    const forged = (await issuer.issue({ sub: `made-up-${i}` })).replace(/[^.]+$/, signature ?? '');
    await expect(check(forged)).rejects.toThrow('has an invalid signature');
  }
  expect(issuer.asked.filter((path) => path === '/keys')).toHaveLength(1);
});

test('keeps known keys while the issuer is unreachable, and logs the failure and the recovery once', async () => {
  const { issuer, check, lines, pass } = await open();
  await issuer.stop();
  for (let hour = 0; hour < 3; hour++) {
    pass(3600);
    expect(await check(await issuer.issue())).toMatchObject(alice);
  }
  expect(lines).toEqual([
    expect.stringMatching(
      /The issuer's metadata and keys cannot be read \(.*ECONNREFUSED.*\)\. Sign-in continues with the known keys/,
    ),
  ]);
  const unknown = await issuer.issue({}, { kid: 'made-up' });
  pass(11);
  await expect(check(unknown)).rejects.toMatchObject({ status: 503 });
  await issuer.start();
  pass(601);
  expect(await check(await issuer.issue())).toMatchObject(alice);
  expect(lines.slice(1)).toEqual(["order-license-mcp: The issuer's metadata and keys can be read again.\n"]);
});

test('after ten minutes without a call, does not accept a withdrawn key', async () => {
  const { issuer, check, pass } = await open();
  const old = await issuer.issue({ exp: seconds() + 3_600 });
  await issuer.rotate();
  expect(await check(old)).toMatchObject(alice);
  pass(601);
  const answers = await Promise.allSettled([check(old), check(old)]);
  expect(answers).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
});

/** Makes the server look up an unknown key, so that it reads no keys for ten seconds. */
const lookUp = async (issuer: TestIssuer, check: (token: string) => Promise<unknown>) => {
  await expect(check(await issuer.issue({}, { kid: 'made-up' }))).rejects.toThrow('that the issuer does not publish');
};

test('rejects each token with a withdrawn key at once if the keys were read after the token was issued', async () => {
  const { issuer, check, pass } = await open();
  const tokens = [await issuer.issue(), await issuer.issue({ sub: 'bob' })];
  await issuer.rotate();
  pass(60);
  await lookUp(issuer, check);
  pass(1);
  for (const token of tokens) await expect(check(token)).rejects.toThrow('with a key that the issuer does not publish');
  // The clocks may differ by half a minute, so this token may be newer than the keys.
  const recent = await issuer.issue({ iat: seconds() - 25 }, { kid: 'newer' });
  await expect(check(recent)).rejects.toMatchObject({ status: 503, details: { retryAfter: 9 } });
  await expect(check(await issuer.issue({ iat: null }, { kid: 'newer' }))).rejects.toMatchObject({ status: 503 });
});

test.each<[string, object, string]>([
  ['has expired', { exp: seconds() - 31 }, 'has expired; sign in again'],
  ['is from another issuer', { iss: 'https://other.example' }, 'is from a different issuer'],
  ['is for another audience', { aud: 'https://other.example' }, 'is for a different audience'],
])('rejects at once a token with an unknown key that %s, even if the issuer is unreachable', async (_, claims, why) => {
  const { issuer, check, pass } = await open();
  pass(1);
  await lookUp(issuer, check);
  pass(1);
  const token = await issuer.issue(claims as Record<string, unknown>, { kid: 'another' });
  // The signature is not checked, so the log must not quote the claims.
  const rejection = { message: `The access token ${why}`, found: undefined };
  await expect(check(token)).rejects.toMatchObject(rejection);
  await issuer.stop();
  vi.useRealTimers();
  await expect((await open(issuer)).check(token)).rejects.toMatchObject(rejection);
});

test('waits five seconds for an issuer that does not respond, then uses the known keys', async () => {
  const { issuer, check, pass, lines } = await open();
  const token = await issuer.issue({ exp: seconds() + 3_600 });
  const waited = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation(() => AbortSignal.abort(new DOMException('', 'TimeoutError')));
  onTestFinished(() => waited.mockRestore());
  pass(601);
  expect(await check(token)).toMatchObject(alice);
  expect(waited.mock.calls).toEqual([[5_000]]);
  expect(lines).toEqual([expect.stringMatching(/no response within 5 s.* Sign-in continues with the known keys/)]);
});

test('tries each usable key for a token without a key ID', async () => {
  const issuer = await startIssuer();
  const [first] = issuer.published();
  await issuer.rotate();
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
  const usable = [first, ...issuer.published()].map((key) => ({ ...key, kid: undefined }));
  issuer.documents.set('/keys', { keys: [{ kty: 'RSA' }, short, { kty: 'EC' }, ...usable] });
  const { check } = await open(issuer);
  const token = await issuer.issue({}, { kid: undefined as never });
  expect(await check(token)).toMatchObject(alice);
  await expect(check(`${token.slice(0, -8)}AAAAAAAA`)).rejects.toThrow('has an invalid signature');
  await expect(check(await issuer.issue({ aud: 'x' }, { kid: undefined as never }))).rejects.toThrow(
    'different audience',
  );
});
