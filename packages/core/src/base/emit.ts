import type { OnEvent } from './events.ts';
import type { Host } from './host.ts';

/**
 * Wraps `onEvent`: its first error, thrown or rejected, goes to the host's `warn`, and none affects a call. Without an
 * `onEvent`, a failed rate-limit store and plain HTTP are reported through `warn`.
 */
export const createEmit = (onEvent: OnEvent | undefined, host: Pick<Host, 'warn'>): OnEvent => {
  let hasFailed = false;
  const warn: Required<Host>['warn'] = (...problem) => {
    try {
      host.warn?.(...problem);
    } catch {
      // There is no other way to report it, and no good response may be lost for that.
    }
  };
  const onFailure = (error: unknown): void => {
    if (hasFailed) return;
    hasFailed = true;
    warn('The `onEvent` function threw an error; the call continues. Its further errors are not reported.', error);
  };
  return (event) => {
    if (!onEvent) {
      if (event.type === 'store_failed') warn(`The rate-limit store rejected \`${event.step}\`; the call continues.`);
      if (event.type === 'plain_http') warn(`The API key is sent to ${event.host} in clear text (allowHttpHosts).`);
      return;
    }
    try {
      const result: unknown = onEvent(event);
      if (isThenable(result)) Promise.resolve(result).catch(onFailure);
    } catch (error) {
      onFailure(error);
    }
  };
};

const isThenable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
