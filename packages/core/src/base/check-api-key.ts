import { configurationError } from './errors.ts';

/**
 * Validates an API key, whose format is not defined (§5.7). The key must be visible ASCII, because HTTP clients can put
 * a header with other characters into the error that they throw. Quotes around a key come from a configuration file,
 * such as that of `docker run --env-file`.
 * @returns the key without white space around it
 * @throws `configuration`; the error does not contain the key
 */
export const checkApiKey = (apiKey: unknown): string => {
  const key = typeof apiKey === 'string' ? apiKey.trim() : '';
  if (key === '') throw configurationError('The API key is missing', 'Create one in the customer account and set it.');
  if (!/^[\x21-\x7e]+$/.test(key) || /^(["'`]).*\1$/.test(key)) {
    throw configurationError(
      'The API key contains a space, a line break or a character outside ASCII, or is in quotes',
      'Copy it again, without `Bearer` and without quotes.',
    );
  }
  return key;
};
