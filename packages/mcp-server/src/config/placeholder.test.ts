// biome-ignore-all lint/suspicious/noTemplateCurlyInString: unfilled placeholders
import { expect, test } from 'vitest';
import { checkConfiguredKey } from './api-key.ts';
import { readConfig } from './config.ts';

const env = { ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1' };
const keyFrom = (key: string): string => readConfig({ ...env, ORDER_LICENSE_API_KEY: key }).apiKey;

const placeholders = [
  '$KEY',
  '$env:KEY',
  '%KEY%',
  '"%KEY%"',
  '${user_config.api_key}',
  '$(pass show key)',
  '{{KEY}}',
  '${{ secrets.KEY }}',
  '{env:KEY}',
  '{file:~/.key}',
  '<your API key>',
];

test.each(placeholders)('rejects the placeholder %s before the first request', (placeholder) => {
  expect(() => keyFrom(placeholder)).toThrow('ORDER_LICENSE_API_KEY holds a placeholder that was not replaced');
  expect(() => checkConfiguredKey(placeholder, 'place')).toThrow('place: This is a placeholder that was not replaced');
});

test.each(['Bearer a-key', 'bearer a-key', 'Authorization: Bearer a-key'])('says what precedes a key in %s', (key) => {
  expect(() => keyFrom(key)).toThrow(
    'ORDER_LICENSE_API_KEY: The API key has a header or a scheme before it. Remove it.',
  );
});

const samples =
  'YOUR-API-KEY YOUR_KEY YOUR_API_KEY_HERE your-secret-api-key changeme undefined null true False *** xxx';
test.each(samples.split(' '))('rejects the sample key %s', (sample) => {
  expect(() => keyFrom(sample)).toThrow('This is the key from a sample configuration');
});

const keys =
  '$2b$12$R9h/cIPz0gi.URNNX3kh2O {6F9619FF-8B86-D011-B42D-00CF4FC964FF} <=> your-api-key-9f2c81 7$KEY 7%KEY% 7{{KEY}} 7<KEY>~';

test.each(keys.split(' '))('accepts the API key %s, which is not a placeholder [S-70]', (key) => {
  expect([keyFrom(key), checkConfiguredKey(key, 'place')]).toEqual([key, key]);
});

test('rejects a placeholder within any other setting', () => {
  const message = (more: object) => () => readConfig({ ...env, ORDER_LICENSE_API_KEY: 'a-key', ...more });
  expect(message({ ORDER_LICENSE_BASE_URL: 'https://${HOST}/api/v1' })).toThrow('BASE_URL holds a placeholder');
  expect(message({ ORDER_LICENSE_STORE: 'redis://:{{PASSWORD}}@redis' })).toThrow('STORE holds a placeholder');
});
