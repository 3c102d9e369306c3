import { readdirSync, readFileSync } from 'node:fs';
import type http from 'node:http';
import { expect, test } from 'vitest';
import type { ListenOptions } from '../server/listen-options.ts';
import { sendRaw, started } from '../test-client.fixture.ts';

/** The headers that Chromium sends to request a page. */
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const start = async (options: ListenOptions = {}) => {
  const mock = await started(options);
  const ask = (path: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET') =>
    sendRaw(mock, path, { method, headers });
  return { mock, ask };
};

const folder = new URL('static/', import.meta.url);

test('serves the page to browsers and the list of calls to programs', async () => {
  const { mock, ask } = await start();
  const page = await ask('/__mock/', browser);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.text).toContain(
    `curl -X PATCH http://${new URL(mock.baseUrl).host}/__mock/clock -d '{&quot;advance&quot;:60000}'`,
  );
  const { status, headers } = await ask('/__mock', browser);
  expect([status, headers.location]).toEqual([302, '__mock/']);
  for (const accept of [undefined, '*/*', 'application/json', 'text/html;q=0, */*', 'text/htmlx']) {
    for (const path of ['/__mock', '/__mock/']) {
      const { headers, text } = await ask(path, accept === undefined ? {} : { accept });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(JSON.parse(text)).toHaveProperty('GET /__mock/limits');
    }
  }
  expect((await ask('/__mock/', browser, 'POST')).status).toBe(405);
});

test('serves only the files of the page', async () => {
  const { ask } = await start();
  const names = readdirSync(folder);
  expect(names.length).toBe(2);
  for (const name of names) {
    const { headers, text } = await ask(`/__mock/page/${name}`);
    expect([headers['content-type'], text], name).toEqual([
      `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
      readFileSync(new URL(name, folder), 'utf8'),
    ]);
  }
  for (const path of ['/page/', '/page/../serve-page.ts', '/page/%2e%2e/serve-page.ts', '/page/toString', '/page/a.js'])
    expect((await ask(`/__mock${path}`, browser)).status, path).toBe(404);
});

test('the content security policy allows only same-origin scripts, styles and requests, and no framing', async () => {
  const { ask } = await start();
  const { headers, text } = await ask('/__mock/', browser);
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache', vary: 'accept' });
  expect(text).not.toMatch(/<style|style=|\son\w+=|<script(?! type="module" src=")|(?:src|href)="?https?:/);
});

test('the page never renders text from the mock as HTML', async () => {
  const { mock, ask } = await start();
  mock.set({ errorText: `<img src=x title='"'>&` });
  mock.state.insertOrder('business', { status: '<b>' });
  mock.faults.add({ kind: '500', operation: 'me', headers: { x: '<u>' } });
  await ask('/api/v1/orders?status=<i>&x="');
  await ask('/api/v1/<s>', { 'x-mock-fault': '{"kind": "<q>"}' });
  const { text } = await ask('/__mock/', browser);
  expect(text).not.toMatch(/<(img|b|u|i|s|q)\b/);
  for (const part of [
    `errorText = &lt;img src=x title='&quot;'&gt;&amp;`,
    '<td>&lt;b&gt;</td>',
    '{&quot;x&quot;:&quot;&lt;u&gt;&quot;}',
  ])
    expect(text).toContain(part);
  expect(text).toContain('GET /api/v1/orders?status=&lt;i&gt;&amp;x=&quot;');
  expect(readFileSync(new URL('page.js', folder), 'utf8')).not.toMatch(
    /innerHTML|outerHTML|insertAdjacent|document\.write|setHTML|eval|Function\(/,
  );
});

test('the page is served under the same host names as the control API', async () => {
  const { ask } = await start({ allowHosts: ['mock'] });
  for (const path of ['/__mock/', '/__mock/page/page.js']) {
    const statusFor = async (headers: object) => (await ask(path, { ...browser, ...headers })).status;
    expect([await statusFor({ host: 'mock' }), await statusFor({ host: 'evil.example' })]).toEqual([200, 403]);
    expect(await statusFor({ host: 'mock', origin: 'http://evil.example' })).toBe(403);
  }
});

test('page requests do not affect the journal or the limits', async () => {
  const { mock, ask } = await start();
  for (const path of ['/', '/page/page.js', '/overview'])
    expect((await ask(`/__mock${path}`, browser)).status).toBe(200);
  expect(mock.journal.total()).toBe(0);
  const { keys } = JSON.parse((await ask('/__mock/limits')).text);
  expect(keys[0]).toEqual({ key: 'business', remaining: 60, resetMs: 0 });
});
