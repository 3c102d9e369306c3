import { afterAll, beforeAll } from 'vitest';
import { type ListenOptions, listen, type MockServer } from '../../packages/mock-api/src/index.ts';
import { type Order, readApi } from '../read-api.ts';
import { createHome, type Home } from './home.ts';
import type { MailServer } from './mail-server.ts';

/** A mock of the API, and a home of n8n with a credential for it. */
export let mock: MockServer;
export let home: Home;
/** Reads the mock's responses with the credential's API key. */
export let api: ReturnType<typeof readApi>;

/** Sets up the mock and the home for the tests of a file or block. The API key and all license keys start with `canary`. */
export const serveShop = (canary: string, options: ListenOptions = {}): void => {
  beforeAll(async () => {
    const apiKey = `${canary}-api-key`;
    mock = await listen({ keys: { business: apiKey }, licenseKeyPrefix: `${canary}-`, limit: 'off', ...options });
    api = readApi(mock, apiKey);
    home = createHome();
    await home.importCredential({ baseUrl: mock.baseUrl, apiKey });
  });
  afterAll(async () => {
    home?.remove();
    await mock?.close();
  });
};

export const keysOf = ({ items }: Order): string[] =>
  items.flatMap(({ license_codes }) => license_codes.map(({ license_key }) => license_key));

/** Returns the emailed license keys, in the order of the emails. */
export const mailedKeys = ({ texts }: MailServer): string[] =>
  texts.map((text) => /^License key: (.*?)\r?$/m.exec(text)?.[1] ?? text);
