import { setImmediate } from 'node:timers/promises';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { ClientEvent } from '@order-license/core/portable';

/** Tells a client what a call is doing, if the client asked for progress. */
export const createProgress = ({ _meta, notify }: ServerContext['mcpReq']) => {
  const progressToken = _meta?.progressToken;
  let progress = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    report(message: string): void {
      if (progressToken === undefined) return;
      progress += 1;
      const params = { progressToken, progress, message };
      // If the client has disconnected, the message is lost, but the call continues.
      last = notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
    /**
     * Resolves one turn of the event loop after the last message is sent, so that the result arrives later. Clients
     * ignore progress that arrives after the result. The SDK's client for stdio also ignores progress that it reads in
     * one chunk with the result, so a busy client may miss the last message.
     */
    async sent(): Promise<void> {
      await last;
      if (progress > 0) await setImmediate();
    },
  };
};

/**
 * Describes a wait, or a retry with its reason.
 * @returns undefined for other events
 */
export const describeEvent = (event: ClientEvent): string | undefined => {
  if (event.type === 'wait') return `Waiting at least ${seconds(event.waitMs)} s for the rate limit.`;
  if (event.type === 'retry' && event.code !== 'rate_limited') {
    return `Trying again in ${seconds(event.delayMs)} s after a failure (${event.status ?? event.code}).`;
  }
  return undefined;
};

const seconds = (ms: number): number => Math.ceil(ms / 1000);
