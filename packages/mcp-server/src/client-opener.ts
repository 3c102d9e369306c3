import type { Client, OnEvent } from '@order-license/core/portable';
import type { Config } from './config.ts';

/** A client for one call, which tells `onEvent` of its waits. */
export type OpenClient = (onEvent: OnEvent | undefined) => Promise<Client>;

export const callLimits = {
  /** A longer wait for the rate limit is answered at once with when to come back, ms. */
  maxWaitMs: 20_000,
  /** A whole call of a tool, waits and retries included, ms: common MCP clients give up after 60 s. */
  deadlineMs: 45_000,
};

/** Opens clients with core and its transport loaded at the first call: the first answer of the server needs neither. */
export const createClientOpener =
  (config: Config, userAgent: string): OpenClient =>
  async (onEvent) => {
    const { openClient } = await import('./client.ts');
    return openClient(config, callLimits, userAgent, onEvent);
  };
