import { expect, test } from 'vitest';
import { connect, post, serve, token } from '../testing/http-session.fixture.ts';
import { callTool } from '../testing/mcp-session.fixture.ts';

test('rejects a request for a different host, or from a page with a different origin', async () => {
  const flags = ['--allow-host', 'MCP.example', '--allow-origin', 'https://app.example/'];
  const { url, mock } = await serve({ ORDER_LICENSE_ACCESS_TOKEN: token }, flags);
  const authorization = `Bearer ${token}`;
  expect(await post(url, { host: 'evil.example' })).toMatchObject({
    status: 403,
    text: expect.stringContaining('Host'),
  });
  expect((await post(url, { authorization, host: 'mcp.example:3000' })).status).toBe(200);
  for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example']) {
    expect(await post(url, { origin })).toMatchObject({ status: 403, text: expect.stringContaining('Origin') });
  }
  for (const origin of ['https://app.example', 'http://localhost:6274']) {
    expect(await post(url, { authorization, origin })).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': origin },
    });
  }
  expect(mock.journal.total()).toBe(0);
});

test.each(['chrome-extension://abcdefghijklmnop', 'moz-extension://6f1c-9a', 'tauri://localhost', 'app://obsidian.md'])(
  'accepts the origin %s, which is not a web page, only if it is allowed',
  async (origin) => {
    const { url } = await serve({}, ['--allow-origin', `${origin}/`]);
    expect(await post(url, { origin })).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': origin },
    });
    for (const other of [`${origin}x`, 'null']) expect((await post(url, { origin: other })).status).toBe(403);
  },
);

test('accepts a host name in any letters, with or without a dot at its end', async () => {
  const flags = ['--allow-host', 'mcp.example', '--allow-host', 'dotted.example.'];
  const { url } = await serve({ ORDER_LICENSE_ACCESS_TOKEN: token }, flags);
  const names = ['localhost.', 'LocalHost.:3000', 'mcp.example', 'mcp.example.', 'mcp.example.:443', 'dotted.example'];
  const statuses = names.map(async (host) => (await post(url, { authorization: `Bearer ${token}`, host })).status);
  expect(await Promise.all(statuses)).toEqual(names.map(() => 200));
});

test.each(['localhost..', '.', 'localhost:99999', 'localhost:', 'local host', 'localhost/x', '[::1', 'user@localhost'])(
  'rejects the host %j with a message about the Host header',
  async (host) => {
    const { url } = await serve();
    const { status, text } = await post(url, { host });
    expect([400, 403]).toContain(status);
    expect(JSON.parse(text).error.message).toMatch(/ Host header /);
  },
);

test.each(['bearer', 'BEARER ', 'Bearer Bearer'])('accepts an access token behind %j', async (scheme) => {
  const { url } = await serve({ ORDER_LICENSE_ACCESS_TOKEN: token });
  expect((await post(url, { authorization: `${scheme} ${token}` })).status).toBe(200);
});

test('if an access token is set, every request needs it', async () => {
  const { url, mock } = await serve({ ORDER_LICENSE_ACCESS_TOKEN: token });
  const wrong = ['', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`, mock.keys.business];
  for (const authorization of wrong) {
    const rejection = await post(url, authorization ? { authorization } : {});
    expect(rejection).toMatchObject({ status: 401, headers: { 'www-authenticate': expect.stringMatching(/^Bearer/) } });
    expect(rejection.text).not.toContain(token);
  }
  const client = await connect(url, { authorization: `Bearer ${token}` });
  expect((await callTool(client, 'order_license_get_me')).data).toMatchObject({ user_id: 4711 });
  // The token is for this server; the API receives only the API key.
  expect(mock.journal.entries()).toMatchObject([{ key: 'business', violations: [] }]);
});

const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
test.each(proxyHeaders)('rejects a request with the header %s unless an access token is set', async (name) => {
  const header = { [name]: 'canary' };
  const open = await serve();
  const { status, text } = await post(open.url, header);
  expect([status, JSON.parse(text).error.message]).toEqual([
    403,
    expect.stringMatching(/^The request came through a proxy, .* set ORDER_LICENSE_ACCESS_TOKEN/),
  ]);
  expect((await fetch(new URL('/healthz', open.url), { headers: header })).status).toBe(200);
  const guarded = await serve({ ORDER_LICENSE_ACCESS_TOKEN: token });
  expect((await post(guarded.url, { ...header, authorization: `Bearer ${token}` })).status).toBe(200);
});
