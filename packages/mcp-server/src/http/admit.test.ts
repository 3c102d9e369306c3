import { expect, test } from 'vitest';
import { connect, getMe, post, serve, token } from '../testing/http-session.fixture.ts';
import { callTool } from '../testing/mcp-session.fixture.ts';
import { startPlainServer } from '../testing/plain-server.fixture.ts';

const authorization = `Bearer ${token}`;

/** An API that records the headers of each request. */
const startService = async () => {
  const headers: string[][] = [];
  const origin = await startPlainServer(({ rawHeaders }, response) => {
    headers.push(rawHeaders);
    response.setHeader('content-type', 'application/json').end('{"status":200,"data":{"user_id":7}}');
  });
  return { headers, baseUrl: `${origin}/api/v1` };
};

test("a server without an API key uses the one in X-API-Key, which doesn't replace the access token", async () => {
  const { url, mock } = await serve({ ORDER_LICENSE_API_KEY: '', ORDER_LICENSE_ACCESS_TOKEN: token });
  const key = { 'x-api-key': mock.keys.otherAccount };
  expect((await post(url, key, getMe)).status).toBe(401);
  expect((await post(url, { ...key, authorization }, getMe)).text).toContain('"user_id":5823');
  expect(await post(url, { authorization }, getMe)).toMatchObject({
    status: 403,
    text: expect.stringContaining('X-Order-License-Key or X-API-Key'),
  });
});

test('each of several concurrent callers uses the API key that it sends', async () => {
  const { url, mock } = await serve({ ORDER_LICENSE_API_KEY: '', ORDER_LICENSE_ACCESS_TOKEN: token });
  const { business, otherAccount } = mock.keys;
  const users = [business, otherAccount].map(async (key) => {
    const client = await connect(url, { authorization, 'x-order-license-key': key });
    const ids = [1, 2, 3].map(async () => (await callTool(client, 'order_license_get_me')).data.user_id);
    return new Set(await Promise.all(ids));
  });
  expect(await Promise.all(users)).toEqual([new Set([4711]), new Set([5823])]);
});

test('ignores X-API-Key if the server has an API key, and never sends it to the shop', async () => {
  const { headers, baseUrl } = await startService();
  const { url } = await serve({ ORDER_LICENSE_BASE_URL: baseUrl, ORDER_LICENSE_API_KEY: 'key-of-the-server' });
  for (const more of [{}, { 'x-order-license-key': 'key-of-a-caller' }]) {
    expect((await post(url, { 'x-api-key': 'canary-of-a-gateway', ...more }, getMe)).text).toContain('"user_id":7');
  }
  expect((await post(url, { 'x-api-key': 'canary with spaces' }, getMe)).text).toContain('"user_id":7');
  const sent = headers.map((raw) => raw[raw.findIndex((name) => /^authorization$/i.test(name)) + 1]);
  expect(sent).toEqual(['Bearer key-of-the-server', 'Bearer key-of-a-caller', 'Bearer key-of-the-server']);
  expect(JSON.stringify(headers)).not.toMatch(/canary|x-api-key|x-order-license-key/i);
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: a client that did not fill in its template
test.each([
  ['X-API-Key', '', 'canary with-space', /^X-API-Key: .* contains a space/],
  ['X-Order-License-Key', 'key-of-the-server', 'canary with-space', /^X-Order-License-Key: .* contains a space/],
  ['X-Order-License-Key', '', '<YOUR_KEY>', /^X-Order-License-Key: This is a placeholder that was not replaced\./],
  ['X-Order-License-Key', '', '${KEY}', /^X-Order-License-Key: This is a placeholder that was not replaced\./],
])('rejects a wrong %s before any request, without repeating it [S-70]', async (name, serverKey, key, why) => {
  const { url, mock } = await serve({ ORDER_LICENSE_API_KEY: serverKey });
  const { status, text } = await post(url, { [name]: key }, getMe);
  expect([status, JSON.parse(text).error.message]).toEqual([400, expect.stringMatching(why)]);
  expect(text).not.toMatch(/canary|YOUR|\$\{/);
  expect(mock.journal.total()).toBe(0);
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: a client that did not fill in its template

test.each<[Record<string, string | string[]>, number]>([
  [{ 'x-order-license-key': 'key-one', 'x-api-key': 'key-two' }, 400],
  [{ 'x-api-key': ['key-one', 'key-two'] }, 400],
  [{ 'x-order-license-key': ['key-one', ' key-one '], 'x-api-key': 'key-one' }, 200],
])('a request whose headers are %j gets %i: one API key, however often, but not two', async (more, expected) => {
  const { url } = await serve({ ORDER_LICENSE_API_KEY: '' });
  const { status, text } = await post(url, more as Record<string, string>, getMe);
  expect(status).toBe(expected);
  expect(text).toContain(expected === 400 ? 'two different API keys; send only one, as X-Order' : 'authentication:');
});
