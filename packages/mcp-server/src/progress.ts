import type { ServerContext } from '@modelcontextprotocol/server';
import type { ClientEvent, OnEvent } from '@order-license/core/portable';

/** What an MCP client that asked for progress is told: each wait, and why. */
export const reportProgress = ({ _meta, notify }: ServerContext['mcpReq']): OnEvent | undefined => {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (event) => {
    const message = describe(event);
    if (message === undefined) return;
    progress += 1;
    // A client that went away misses its progress and nothing else.
    notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => undefined);
  };
};

const describe = (event: ClientEvent): string | undefined => {
  if (event.type === 'wait') return `Waiting ${seconds(event.waitMs)} s for the limit of requests per minute.`;
  if (event.type === 'retry' && event.code !== 'rate_limited') {
    return `Trying again in ${seconds(event.delayMs)} s after a failure (${event.status ?? event.code}).`;
  }
  return undefined;
};

const seconds = (ms: number): number => Math.ceil(ms / 1000);
