import { type Client, type OnEvent, OrderLicenseError } from '@order-license/core/portable';
import type { Config } from '../config/config.ts';

/** A client for one call, which tells `onEvent` of its waits. */
export type OpenClient = (onEvent: OnEvent | undefined) => Promise<Client>;

/** Opens clients with core and its transport loaded at the first call: the first answer of the server needs neither. */
export const createClientOpener =
  (config: Config): OpenClient =>
  async (onEvent) => {
    const { openClient } = await import('./client.ts').catch(() => {
      throw new OrderLicenseError(
        'configuration',
        'A part of this server could not be loaded, as after an update while it ran; restart it.',
      );
    });
    return openClient(config, onEvent);
  };
