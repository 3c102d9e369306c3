import type { ServerContext } from '@modelcontextprotocol/server';
import type { ClientEvent, OnEvent } from '@order-license/core/portable';

/** Tells the MCP client what a call is doing meanwhile. */
export type Tell = (message: string) => void;

/** Undefined for a client that did not ask for progress. */
export const tellProgress = ({ _meta, notify }: ServerContext['mcpReq']): Tell | undefined => {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    // A client that went away misses its progress and nothing else.
    notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => undefined);
  };
};

/** Tells of each wait and each further attempt, and why. */
export const tellEvents =
  (tell: Tell): OnEvent =>
  (event) => {
    const message = describe(event);
    if (message !== undefined) tell(message);
  };

const describe = (event: ClientEvent): string | undefined => {
  if (event.type === 'wait') return `Waiting ${seconds(event.waitMs)} s for the limit of requests per minute.`;
  if (event.type === 'retry' && event.code !== 'rate_limited') {
    return `Trying again in ${seconds(event.delayMs)} s after a failure (${event.status ?? event.code}).`;
  }
  return undefined;
};

const seconds = (ms: number): number => Math.ceil(ms / 1000);
