import type { Dispatcher } from 'undici';
import { configurationError } from '../base/errors.ts';

/**
 * A dispatcher from any copy of undici 7 or newer, declared without undici's types, because these need Node's types.
 */
export interface UndiciDispatcher {
  dispatch(options: never, handler: never): boolean;
  compose(interceptor: never): unknown;
}

/**
 * @throws `configuration` for anything but a dispatcher of undici 7 or newer. An older one does not report when it sends
 * a request: every request would seem unsent, and the rate limit would not be kept
 */
export const checkDispatcher = (dispatcher: UndiciDispatcher): void => {
  let reportsStart: boolean | undefined;
  try {
    // This request ends in its own interceptor, so nothing is sent.
    const probe = (dispatcher as Dispatcher).compose(() => (_, handler) => {
      reportsStart = 'onRequestStart' in handler;
      return true;
    });
    probe.request({ origin: 'http://localhost', path: '/', method: 'GET' }).catch(() => undefined);
  } catch {
    // Not a dispatcher: `reportsStart` stays undefined.
  }
  if (reportsStart === undefined) {
    throw configurationError(
      '`dispatcher` is not a dispatcher of undici',
      'Pass an `Agent` or `ProxyAgent` from the package undici, or use the option `fetch` instead.',
    );
  }
  if (!reportsStart) {
    throw configurationError('`dispatcher` comes from an undici version older than 7', 'Use undici 7 or newer.');
  }
};
