import { checkApiKey } from '../base/check-api-key.ts';
import { codeOf } from '../base/checks.ts';
import { OrderLicenseError } from '../base/errors.ts';
import { type Stops, unlessAborted, unlessStopped } from '../base/stops.ts';
import { createKeySearch } from '../model/key-search.ts';
import { marker } from '../model/mask.ts';

/** An API key, or a function that returns the current one, for keys that rotate. */
export type ApiKey = string | (() => string | Promise<string>);

/**
 * A valid key, or a function that returns the current one. It rejects when the caller's `signal` aborts, when the client
 * is `closing`, or after `timeoutMs`.
 */
export type KeySource = string | ((timeoutMs: number, stops: Stops) => Promise<string>);

/**
 * Validates a fixed key at once, and later each key that a function returns. If the function throws, the error is
 * `configuration`, with the code of a system error but without any message, which could contain the key.
 * @throws `configuration` for an invalid key
 */
export const keySource = (apiKey: ApiKey): KeySource => {
  if (typeof apiKey !== 'function') return checkApiKey(apiKey);
  return async (timeoutMs, stops) => {
    const asking = unlessStopped((async () => apiKey())().catch(throwCode), stops);
    const overdue = AbortSignal.timeout(Math.ceil(timeoutMs));
    return checkApiKey(await unlessAborted(asking, overdue, () => keyTimeoutError(timeoutMs)));
  };
};

const throwCode = (error: unknown): never => {
  const code = codeOf(error);
  // The code of a system error, such as `ENOENT` for a missing file, is safe to show: keys don't look like this.
  const reason = code && /^E[A-Z_]{2,20}$/.test(code) ? code : undefined;
  throw new OrderLicenseError('configuration', {
    detail: `The \`apiKey\` function threw an error${reason ? ` (${reason})` : ''}, so nothing was sent`,
    advice: 'Log the error inside the function to see the cause.',
    reason,
  });
};

const keyTimeoutError = (timeoutMs: number): OrderLicenseError =>
  new OrderLicenseError('timeout', {
    detail: `The \`apiKey\` function returned no key within ${Math.round(timeoutMs)} ms, so nothing was sent`,
    advice: 'Make the function faster, for example by caching the key.',
    sent: false,
  });

/**
 * Returns `text` with every occurrence of the key replaced. A text that contains the key in another notation, such as
 * upper case or percent-encoding, is hidden up to the next occurrence.
 */
export const maskKey = (text: string, apiKey: string): string => {
  const has = createKeySearch([apiKey]);
  const shown = text.split(apiKey).map((part) => (has(part) ? marker : part));
  return shown.join('[API key]');
};
