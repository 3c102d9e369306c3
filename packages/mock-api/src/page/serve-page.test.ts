import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../server/listen.ts';
import type { ListenOptions } from '../server/listen-options.ts';

interface Answer {
  status: number | undefined;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** The headers that Chromium sends to request a page. */
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const start = async (options: ListenOptions = {}) => {
  const mock = await listen(options);
  onTestFinished(() => mock.close());
  const ask = (path: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET') =>
    new Promise<Answer>((resolve, reject) => {
      const request = http.request(new URL(path, mock.baseUrl), { method, headers }, async (response) => {
        resolve({ status: response.statusCode, headers: response.headers, body: await text(response) });
      });
      request.on('error', reject).end();
    });
  return { mock, ask };
};

const folder = new URL('static/', import.meta.url);

test('serves the page to browsers and the list of calls to programs', async () => {
  const { mock, ask } = await start();
  const page = await ask('/__mock/', browser);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  const [before = '', after = ''] = readFileSync(new URL('index.html', folder), 'utf8').split('<!-- calls -->');
  expect(page.body.startsWith(before) && page.body.endsWith(after)).toBe(true);
  expect(page.body).toContain(
    `curl -X PATCH http://${new URL(mock.baseUrl).host}/__mock/clock -d '{&quot;advance&quot;:60000}'`,
  );
  const { status, headers } = await ask('/__mock', browser);
  expect([status, headers.location]).toEqual([302, '__mock/']);
  for (const accept of [undefined, '*/*', 'application/json', 'text/html;q=0, */*', 'text/htmlx']) {
    for (const path of ['/__mock', '/__mock/']) {
      const { headers, body } = await ask(path, accept === undefined ? {} : { accept });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(JSON.parse(body)).toHaveProperty('GET /__mock/limits');
    }
  }
  expect((await ask('/__mock/', browser, 'POST')).status).toBe(405);
});

test('serves only the files of the page', async () => {
  const { ask } = await start();
  const names = readdirSync(folder);
  expect(names.length).toBe(3);
  for (const name of names.filter((name) => name !== 'index.html')) {
    const { headers, body } = await ask(`/__mock/page/${name}`);
    expect([headers['content-type'], body], name).toEqual([
      `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
      readFileSync(new URL(name, folder), 'utf8'),
    ]);
  }
  for (const path of ['/page/', '/page/../serve-page.ts', '/page/%2e%2e/serve-page.ts', '/page/toString', '/page/a.js'])
    expect((await ask(`/__mock${path}`, browser)).status, path).toBe(404);
});

test('the content security policy allows only same-origin scripts, styles and requests, and no framing', async () => {
  const { ask } = await start();
  const { headers, body } = await ask('/__mock/', browser);
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache', vary: 'accept' });
  expect(body).not.toMatch(/<style|style=|\son\w+=|<script(?! type="module" src=")|(?:src|href)="?https?:/);
});

test('the page never renders text from the mock as HTML', () => {
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.js'))) {
    expect(readFileSync(new URL(name, folder), 'utf8'), name).not.toMatch(
      /innerHTML|outerHTML|insertAdjacent|document\.write|setHTML|eval|Function\(/,
    );
  }
});

test('the page is served under the same host names as the control API', async () => {
  const { ask } = await start({ allowHosts: ['mock'] });
  for (const path of ['/__mock/', '/__mock/page/page.js']) {
    expect((await ask(path, { ...browser, host: 'mock' })).status).toBe(200);
    const rejected = await ask(path, { ...browser, host: 'evil.example' });
    expect([rejected.status, rejected.body]).toEqual([403, expect.stringContaining('--allow-host evil.example')]);
    expect((await ask(path, { ...browser, host: 'mock', origin: 'http://evil.example' })).status).toBe(403);
  }
});

test('does not serve the page if the control API is off', async () => {
  const { ask } = await start({ control: false });
  expect((await ask('/__mock/', browser)).status).toBe(404);
});

test('page requests do not affect the journal or the limits', async () => {
  const { mock, ask } = await start();
  for (const path of ['/', '/page/page.js', '/overview'])
    expect((await ask(`/__mock${path}`, browser)).status).toBe(200);
  expect(mock.journal.total()).toBe(0);
  const { keys } = JSON.parse((await ask('/__mock/limits')).body);
  expect(keys[0]).toEqual({ key: 'business', remaining: 60, resetMs: 0 });
});
