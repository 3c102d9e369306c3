import { configurationError, OrderLicenseError } from '../base/errors.ts';
import { unlessAborted } from './send-in-time.ts';

/**
 * Validates an API key, which is opaque (§5.7): white space around it is dropped, the rest must be visible ASCII. With
 * any other character the transport would throw an error that contains the key.
 * @throws `configuration`, without the key
 */
export const checkApiKey = (apiKey: unknown): string => {
  const key = typeof apiKey === 'string' ? apiKey.trim() : '';
  if (key === '') throw configurationError('The API key is missing', 'Create one in the customer account and set it.');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw configurationError(
      'The API key contains a space, a line break or a character outside ASCII',
      'Copy it again, without quotes.',
    );
  }
  return key;
};

/** An API key, or a function that returns the current one, for keys that rotate. */
export type ApiKey = string | (() => string | Promise<string>);

/** Aborts with the first of `signals`, or after `timeoutMs`. */
export type ReadApiKey = (timeoutMs: number, signals: readonly (AbortSignal | undefined)[]) => string | Promise<string>;

/**
 * A key is validated at once. A function is called each time, and the key it returns is validated; if it throws, the
 * error is `configuration` without the original, which could contain the key.
 * @throws `configuration` for an invalid key
 */
export const createApiKeyReader = (apiKey: ApiKey): ReadApiKey => {
  if (typeof apiKey !== 'function') {
    const key = checkApiKey(apiKey);
    return () => key;
  }
  const ask = async (): Promise<unknown> => apiKey();
  const refuse = (): never => {
    throw configurationError(
      'The `apiKey` function threw an error, so nothing was sent',
      'Log the error inside the function to see the cause.',
    );
  };
  return async (timeoutMs, signals) => {
    let asking = ask().catch(refuse);
    for (const signal of signals) asking = unlessAborted(asking, signal);
    const overdue = AbortSignal.timeout(Math.ceil(timeoutMs));
    return checkApiKey(await unlessAborted(asking, overdue, () => keyTimeoutError(timeoutMs)));
  };
};

const keyTimeoutError = (timeoutMs: number): OrderLicenseError =>
  new OrderLicenseError('timeout', {
    detail: `The \`apiKey\` function returned no key within ${Math.round(timeoutMs)} ms, so nothing was sent`,
    advice: 'Make it return sooner.',
    sent: false,
  });

/** `text` with every occurrence of the key replaced. */
export const maskKey = (text: string, apiKey: string): string => text.replaceAll(apiKey, '[API key]');
