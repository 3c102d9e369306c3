import type { ServerContext } from '@modelcontextprotocol/server';
import type { ClientEvent } from '@order-license/core/portable';

/** Reports to a client that asked for progress what a call is doing; for others it does nothing. */
export const progressReporter = ({ _meta, notify }: ServerContext['mcpReq']): ((message: string) => void) => {
  const progressToken = _meta?.progressToken;
  let progress = 0;
  return (message) => {
    if (progressToken === undefined) return;
    progress += 1;
    // A disconnected client only misses its progress.
    notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => undefined);
  };
};

/** A wait, or a further attempt and why. @returns undefined for other events */
export const describeEvent = (event: ClientEvent): string | undefined => {
  if (event.type === 'wait') return `Waiting ${seconds(event.waitMs)} s for the rate limit.`;
  if (event.type === 'retry' && event.code !== 'rate_limited') {
    return `Trying again in ${seconds(event.delayMs)} s after a failure (${event.status ?? event.code}).`;
  }
  return undefined;
};

const seconds = (ms: number): number => Math.ceil(ms / 1000);
