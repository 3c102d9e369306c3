import type { IAuthenticate, ICredentialDataDecryptedObject, IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { serveEach, service } from '../nodes/shared/service.fixture';
import { OrderLicenseApi } from './OrderLicenseApi.credentials';

serveEach();

const type = new OrderLicenseApi();

/**
 * Runs the credential test as n8n does: one request, then the rules in order. n8n shows an error's code if it has one.
 */
const runTest = async (credential: IDataObject): Promise<string> => {
  const { request, rules = [] } = type.test;
  const authenticate = type.authenticate as Extract<IAuthenticate, (...given: never[]) => unknown>;
  const options = { ...request, baseURL: credential.baseUrl } as IHttpRequestOptions;
  let authenticated: IHttpRequestOptions;
  try {
    authenticated = await authenticate(credential as ICredentialDataDecryptedObject, options);
  } catch (error) {
    return String((error as { code?: unknown }).code ?? (error as Error).message);
  }
  const response = await fetch(`${authenticated.baseURL}${authenticated.url}`, {
    redirect: 'manual',
    headers: authenticated.headers as Record<string, string>,
  });
  const body: unknown = await response.json().catch(() => 'a page');
  for (const { type, properties } of rules) {
    const { value, key, message } = properties as IDataObject;
    if (type === 'responseCode' && response.status === value) return message as string;
    if (type !== 'responseSuccessBody' || !response.ok) continue;
    const found = (key as string).split('.').reduce<unknown>((at, name) => (at as IDataObject)?.[name], body);
    if (found === value) return message as string;
  }
  return response.ok ? 'OK' : response.statusText;
};

test('the credential test requests GET /me once [S-43]', async () => {
  service.journal.clear();
  expect(await runTest({ baseUrl: service.baseUrl, apiKey: service.keys.business })).toBe('OK');
  expect(service.journal.entries().map(({ method, path, query }) => `${method} ${path}${query}`)).toEqual([
    'GET /api/v1/me',
  ]);
  expect(service.journal.violations()).toEqual([]);
});

test('the credential test distinguishes a wrong key, a private account, and an address without the API or with a 200 without a user [S-43 S-67 S-74 U-28]', async () => {
  const { baseUrl, keys } = service;
  expect(await runTest({ baseUrl, apiKey: 'no-such-key' })).toContain('The API key was rejected');
  expect(await runTest({ baseUrl, apiKey: keys.revoked })).toContain('The API key was rejected');
  expect(await runTest({ baseUrl, apiKey: keys.private })).toContain('Enter a company or a VAT ID');
  const elsewhere = baseUrl.replace('/api/v1', '/shop/api/v1');
  expect(await runTest({ baseUrl: elsewhere, apiKey: keys.business })).toContain('The API is not at this address');
  service.set({ missing: ['me.user_id'] });
  expect(await runTest({ baseUrl, apiKey: keys.business })).toContain('The API is not at this address');
});

test('ignores trailing slashes, pasted white space and a pasted "Bearer" [S-03 S-70]', async () => {
  service.journal.clear();
  const { baseUrl, keys } = service;
  expect(await runTest({ baseUrl: ` ${baseUrl}/\n`, apiKey: ` ${keys.business}\n` })).toBe('OK');
  expect(await runTest({ baseUrl: `${baseUrl}//`, apiKey: keys.business })).toBe('OK');
  expect(await runTest({ baseUrl, apiKey: `Bearer ${keys.business}` })).toBe('OK');
  expect(await runTest({ baseUrl, apiKey: ` bearer  ${keys.business} ` })).toBe('OK');
  expect(service.journal.violations()).toEqual([]);
});

test.each([
  ['http://shop.example/api/v1', 'http, which would send the API key in clear text'],
  ['http://localhost:a@shop.example/api/v1', 'contains a user name'],
  ['http://127.0.0.1:80@shop.example/api/v1', 'contains a user name'],
  ['ftp://shop.example/api/v1', 'is not a valid URL'],
  ['shop.example/api/v1', 'is not a valid URL'],
  ['https://shop.example/', 'does not end in /api/v1'],
  ['', 'The base URL is missing'],
])('sends nothing to the address %j, and says why [S-04]', async (baseUrl, message) => {
  expect(await runTest({ baseUrl, apiKey: 'k' })).toContain(message);
});

test.each([
  ['', 'The API key is missing'],
  ['Bearer ', 'The API key is missing'],
  ['two words', 'The API key contains a space'],
  ['secret\n4711', 'The API key contains'],
  ['key\u20131', 'a character outside ASCII'],
])('rejects the API key %j without a request, and without repeating it', async (apiKey, message) => {
  const shown = await runTest({ baseUrl: service.baseUrl, apiKey });
  expect(shown).toContain(message);
  if (apiKey.length > 8) expect(shown).not.toMatch(/two|4711/);
});

test.each([-1, 0, 0.5, 61, 600, 'many'])(
  'rejects %j requests per minute without a request',
  async (requestsPerMinute) => {
    const credential = { baseUrl: service.baseUrl, apiKey: service.keys.business, requestsPerMinute };
    expect(await runTest(credential)).toContain("'Requests per Minute' is not a whole number from 1 to 60");
    expect(await runTest({ ...credential, requestsPerMinute: 60 })).toBe('OK');
  },
);

test('the credential test does not follow redirects with the key [S-04]', async () => {
  expect(type.test.request).toMatchObject({ disableFollowRedirect: true, sendCredentialsOnCrossOriginRedirect: false });
  service.set({ httpsOnly: 'redirect' });
  expect(await runTest({ baseUrl: service.baseUrl, apiKey: service.keys.business })).toContain('redirects');
  service.set({ httpsOnly: 'off' });
});

test('hides the key while the user types it [S-70]', () => {
  const key = type.properties.find(({ name }) => name === 'apiKey');
  expect(key?.typeOptions?.password).toBe(true);
});
