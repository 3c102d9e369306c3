import { checkBaseUrl } from '@order-license/core/host';
import { listen, type MockServer } from '@order-license/mock-api';
import fc from 'fast-check';
import { type IDataObject, type INodeTypes, Workflow } from 'n8n-workflow';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OrderLicenseApi } from './OrderLicenseApi.credentials';

let service: MockServer;
beforeAll(async () => {
  service = await listen();
});
afterAll(() => service.close());

const type = new OrderLicenseApi();

/** n8n's own expressions, with access to the credential. */
const evaluate = (value: string, credential: IDataObject): string => {
  const workflow = new Workflow({ nodes: [], connections: {}, active: false, nodeTypes: {} as INodeTypes });
  const more = { $credentials: credential };
  return workflow.expression.getParameterValue(value, null, 0, 0, 'node', [], 'internal', more) as string;
};

/** The credential test as n8n runs it: one request, then the rules in order. */
const runTest = async (credential: IDataObject): Promise<string> => {
  const { request, rules = [] } = type.test;
  const base = evaluate(request.baseURL as string, credential);
  if (base === '') return 'not sent';
  const { Authorization } = type.authenticate.properties.headers as Record<string, string>;
  const answer = await fetch(base + request.url, {
    redirect: 'manual',
    headers: {
      ...(request.headers as Record<string, string>),
      authorization: evaluate(Authorization as string, credential),
    },
  });
  const body: unknown = await answer.json().catch(() => 'a page');
  for (const { type, properties } of rules) {
    const { value, key, message } = properties as IDataObject;
    if (type === 'responseCode' && answer.status === value) return message as string;
    if (type !== 'responseSuccessBody' || !answer.ok) continue;
    const found = (key as string).split('.').reduce<unknown>((at, name) => (at as IDataObject)?.[name], body);
    if (found === value) return message as string;
  }
  return answer.ok ? 'OK' : answer.statusText;
};

test('the credential test requests GET /me once [S-43]', async () => {
  service.journal.clear();
  expect(await runTest({ baseUrl: service.baseUrl, apiKey: service.keys.business })).toBe('OK');
  expect(service.journal.entries().map(({ method, path, query }) => `${method} ${path}${query}`)).toEqual([
    'GET /api/v1/me',
  ]);
  expect(service.journal.violations()).toEqual([]);
});

test('the credential test distinguishes a wrong key, a private account and a wrong address [S-43 S-67 S-74]', async () => {
  const { baseUrl, keys } = service;
  expect(await runTest({ baseUrl, apiKey: 'no-such-key' })).toContain('The API key was refused');
  expect(await runTest({ baseUrl, apiKey: keys.revoked })).toContain('The API key was refused');
  expect(await runTest({ baseUrl, apiKey: keys.private })).toContain('Enter a company or a VAT ID');
  const elsewhere = baseUrl.replace('/api/v1', '/api/v2');
  expect(await runTest({ baseUrl: elsewhere, apiKey: keys.business })).toContain('The API is not at this address');
});

test('a 200 without a user is not mistaken for the API [U-28]', async () => {
  service.set({ missing: ['me.user_id'] });
  const { baseUrl, keys } = service;
  expect(await runTest({ baseUrl, apiKey: keys.business })).toContain('The API is not at this address');
  service.set({ missing: [] });
});

test('ignores trailing slashes and pasted white space [S-03 S-70]', async () => {
  service.journal.clear();
  expect(await runTest({ baseUrl: ` ${service.baseUrl}/\n`, apiKey: ` ${service.keys.business}\n` })).toBe('OK');
  expect(await runTest({ baseUrl: `${service.baseUrl}//`, apiKey: service.keys.business })).toBe('OK');
  expect(service.journal.violations()).toEqual([]);
});

test('sends nothing to an address that would receive the key in clear text [S-04]', async () => {
  for (const baseUrl of [
    'http://shop.example/api/v1',
    'http://localhost:a@shop.example/api/v1',
    'http://127.0.0.1:80@shop.example/api/v1',
    'ftp://shop.example/api/v1',
    'shop.example/api/v1',
    '',
  ]) {
    expect(await runTest({ baseUrl, apiKey: 'k' })).toBe('not sent');
  }
  expect(evaluate(type.test.request.baseURL as string, { baseUrl: 'https://shop.example/x/api/v1' })).toBe(
    'https://shop.example/x/api/v1',
  );
});

/** Picks the first value half the time, so that many addresses are ordinary except for one part. */
const part = (usual: string, ...others: string[]) => fc.oneof(fc.constant(usual), fc.constantFrom(...others));
const anyAddress = fc
  .tuple(
    fc.constantFrom('https://', 'http://', 'HTTPS://', 'https:', 'https:/', 'https:\\\\', 'ftp://', ''),
    part('', 'a@', 'a:b@', 'localhost:', '127.0.0.1:80'),
    part('localhost', 'shop.example', '127.0.0.1', '127.1', '[::1]', '@shop.example', '\\@shop.example'),
    part('', ':', ':8443', ':a', ':a@shop.example', '\t', '%40', '.'),
    part('', '/', '/x', '\\', '/..', '/@', '/ ', '?', '#'),
    part('/api/v1', '/api/v1/', '/api/v1//', '/api/v1/.', '/api/v2', '/api/v1?a', '/api/v1#', ''),
  )
  .map((parts) => parts.join(''));

test('the test requests no address that the nodes refuse, except one that does not end in /api/v1 [S-04]', () => {
  let asked = 0;
  fc.assert(
    fc.property(anyAddress, (baseUrl) => {
      const base = evaluate(type.test.request.baseURL as string, { baseUrl });
      const url = URL.parse(base + type.test.request.url);
      // Nothing is sent to an invalid address.
      if (base === '' || !url) return;
      asked += 1;
      expect(url.protocol === 'https:' || /^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)).toBe(true);
      expect(`${url.username}${url.password}${url.search}${url.hash}`).toBe('');
      try {
        expect(URL.parse(checkBaseUrl(baseUrl))?.host).toBe(url.host);
      } catch (error) {
        expect(String(error)).toContain('does not end in /api/v1');
      }
    }),
    { numRuns: 2_000 },
  );
  expect(asked).toBeGreaterThan(30);
});

test('the test does not follow redirects with the key [S-04]', async () => {
  expect(type.test.request).toMatchObject({ disableFollowRedirect: true, sendCredentialsOnCrossOriginRedirect: false });
  service.set({ httpsOnly: 'redirect' });
  expect(await runTest({ baseUrl: service.baseUrl, apiKey: service.keys.business })).toContain('redirects');
  service.set({ httpsOnly: 'off' });
});

test('hides the key while the user types it [S-70]', () => {
  const key = type.properties.find(({ name }) => name === 'apiKey');
  expect(key?.typeOptions?.password).toBe(true);
});
