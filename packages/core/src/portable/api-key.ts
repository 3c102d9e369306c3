import { configurationError } from './errors.ts';

/**
 * Checks an API key, which is opaque (§5.7): white space around it is dropped, what is left must be visible ASCII.
 * A key with any other character would make the transport throw an error that contains the key.
 * @throws `configuration`, without the key
 */
export const checkApiKey = (apiKey: unknown): string => {
  const key = typeof apiKey === 'string' ? apiKey.trim() : '';
  if (key === '') throw configurationError('The API key is missing; create one in the customer account and set it.');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw configurationError(
      'The API key holds a space, a line break or a character outside ASCII; copy it again, without quotes.',
    );
  }
  return key;
};

/** `text` with every occurrence of the key replaced. */
export const maskKey = (text: string, apiKey: string): string => text.replaceAll(apiKey, '[API key]');
