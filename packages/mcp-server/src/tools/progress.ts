import type { ServerContext } from '@modelcontextprotocol/server';
import type { ClientEvent, OnEvent } from '@order-license/core/portable';
import type { ReportProgress } from '../read/call.ts';

/** Undefined for a client that did not ask for progress. */
export const reportProgress = ({ _meta, notify }: ServerContext['mcpReq']): ReportProgress | undefined => {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    // A disconnected client only misses its progress.
    notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => undefined);
  };
};

/** Reports each wait and each further attempt, and why. */
export const reportEvents =
  (report: ReportProgress): OnEvent =>
  (event) => {
    const message = describe(event);
    if (message !== undefined) report(message);
  };

const describe = (event: ClientEvent): string | undefined => {
  if (event.type === 'wait') return `Waiting ${seconds(event.waitMs)} s for the limit of requests per minute.`;
  if (event.type === 'retry' && event.code !== 'rate_limited') {
    return `Trying again in ${seconds(event.delayMs)} s after a failure (${event.status ?? event.code}).`;
  }
  return undefined;
};

const seconds = (ms: number): number => Math.ceil(ms / 1000);
