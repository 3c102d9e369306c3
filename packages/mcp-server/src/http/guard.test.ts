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

test.each(['localhost.', 'LocalHost.:3000', 'mcp.example', 'mcp.example.', 'mcp.example.:443', 'dotted.example'])(
  'accepts the host %j, with or without a dot at its end',
  async (host) => {
    const flags = ['--allow-host', 'mcp.example', '--allow-host', 'dotted.example.'];
    const { url } = await serve({ ORDER_LICENSE_ACCESS_TOKEN: token }, flags);
    expect((await post(url, { authorization: `Bearer ${token}`, host })).status).toBe(200);
  },
);

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
  for (const authorization of [
    '',
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    `Basic ${token}`,
    mock.keys.business,
  ]) {
    const rejection = await post(url, authorization ? { authorization } : {});
    expect(rejection).toMatchObject({ status: 401, headers: { 'www-authenticate': expect.stringMatching(/^Bearer/) } });
    expect(rejection.text).not.toContain(token);
  }
  const client = await connect(url, { authorization: `Bearer ${token}` });
  expect((await callTool(client, 'order_license_get_me')).data).toMatchObject({ user_id: 4711 });
  // The token is for this server; the API receives only the API key.
  expect(mock.journal.entries()).toMatchObject([{ key: 'business', violations: [] }]);
});

test('callers may send their own API keys, which do not replace the access token', async () => {
  const { url, mock } = await serve({ ORDER_LICENSE_API_KEY: '', ORDER_LICENSE_ACCESS_TOKEN: token });
  const authorization = `Bearer ${token}`;
  expect((await post(url, { 'x-order-license-key': mock.keys.business })).status).toBe(401);
  expect(await post(url, { authorization })).toMatchObject({
    status: 403,
    text: expect.stringContaining('X-Order-License-Key'),
  });
  const keys = { business: 4711, otherAccount: 5823 } as const;
  const users = await Promise.all(
    Object.keys(keys).map(async (name) => {
      const key = mock.keys[name as keyof typeof keys];
      const client = await connect(url, { authorization, 'x-order-license-key': key });
      const ids = await Promise.all(
        [1, 2, 3].map(async () => (await callTool(client, 'order_license_get_me')).data.user_id),
      );
      return [name, ...new Set(ids)];
    }),
  );
  expect(users).toEqual(Object.entries(keys));
});

test("rejects a caller's malformed key without repeating it [S-70]", async () => {
  const { url, mock } = await serve();
  const rejection = await post(url, { 'x-order-license-key': 'canary with-space' });
  expect(rejection).toMatchObject({ status: 400, text: expect.stringContaining('contains a space') });
  expect(rejection.text).not.toContain('canary');
  expect(mock.journal.total()).toBe(0);
});

test.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'])(
  'rejects a request with the header %s unless an access token is set',
  async (name) => {
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
  },
);
