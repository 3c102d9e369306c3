import { type Client, type OnEvent, OrderLicenseError } from '@order-license/core/portable';
import type { Config } from '../config/config.ts';

/**
 * A client for one call, which closes it. It reports its waits and requests to `onEvent`, with the caller's trace. Core and its transport are
 * loaded at the first call: the first answer of the server needs neither.
 * @throws `configuration` when the files of this server were replaced while it ran
 */
export const openClient = async (config: Config, onEvent: OnEvent, traceparent?: string): Promise<Client> => {
  const { createCallClient } = await import('./client.ts').catch(() => {
    throw new OrderLicenseError('configuration', {
      detail: 'A part of this server could not be loaded, for example because it was updated while it ran',
      advice: 'Restart it.',
    });
  });
  return createCallClient(config, onEvent, traceparent);
};
