import { setImmediate } from 'node:timers/promises';
import { CLIENT_INFO_META_KEY, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { configurationError } from '@order-license/core/host';
import {
  type Client,
  type ClientEvent,
  isOrderLicenseError,
  isRateLimitError,
  type OnEvent,
  type OrderId,
  RateLimitError,
} from '@order-license/core/portable';
import type { Config } from '../config/config.ts';
import type { CallRecord, OnCall } from '../log/access-log.ts';
import { logDefect } from '../log/stderr.ts';
import { callLimits } from './call-limits.ts';

/** Opens a client for one call, which must close it. The client reports its waits and requests to `onEvent`. */
export type OpenClient = (onEvent: OnEvent) => Promise<Client>;

/** Waits until a call may run, at most `maxWaitMs`, and returns a function to call when it has ended. */
export type WaitForTurn = (signal: AbortSignal, maxWaitMs: number) => Promise<() => void>;

/** A running tool call. */
export interface Call {
  client: Client;
  /** Aborted when the MCP client cancels the call. */
  signal: AbortSignal;
  /** The caller's trace. */
  traceparent: string | undefined;
  /** Tells the MCP client what the call is doing, if it asked for progress. */
  reportProgress(message: string): void;
  /** Returns the number of requests sent to the API so far. */
  requests(): number;
  /** Time by which the call must end, on the clock of `performance.now()`, ms. The wait in the queue counts. */
  endsAt: number;
  /**
   * Returns the part of the API's data that a model may see. A call returns only this part, and writes only this part
   * to files. The result names what is masked in it, and who can unmask that.
   * @param beside other data, whose license keys are hidden as well
   */
  show<Data extends object>(data: Data, beside?: object): Data;
  /** Like `show`, for data that is only compared: the result does not list what this masks. */
  peek<Data extends object>(data: Data): Data;
  /** Whether a result fits, with the note on what is masked. */
  fits(answer: object): boolean;
  /**
   * Notes for the access log what the result or a file contains.
   * @param codes number of license codes
   */
  record(orders: readonly { id: OrderId }[], codes?: number): void;
}

/** Returns the options for every read in a call: a read ends when the call ends, and has the highest priority. */
export const readOptions = ({ signal, traceparent, endsAt }: Pick<Call, 'signal' | 'traceparent' | 'endsAt'>) =>
  ({ signal, traceparent, deadlineMs: Math.max(1, endsAt - performance.now()), priority: 'interactive' }) as const;

/**
 * Begins a tool call or a reveal from this MCP client.
 * @returns the parts of a call that don't depend on the tool; `open`, which waits until the call may run and opens its
 * client; `end` or `fail`, which must be called at the end: they record how the call ended, and close its client
 */
export const beginCall = (
  {
    openClient,
    waitForTurn,
    onCall,
  }: { openClient: OpenClient; waitForTurn?: WaitForTurn | undefined; onCall?: OnCall | undefined },
  mcp: McpServer,
  ctx: ServerContext,
  what: Pick<CallRecord, 'event' | 'tool'>,
) => {
  const startedAt = performance.now();
  const { signal } = ctx.mcpReq;
  const traceparent = traceparentOf(ctx);
  const { report, sent } = createProgress(ctx.mcpReq);
  const orderIds = new Set<OrderId>();
  let codes = 0;
  let requests = 0;
  let client: Client | undefined;
  let endTurn: (() => void) | undefined;
  const end = (outcome: string): void => {
    const ms = Math.round(performance.now() - startedAt);
    const found = { orderIds: [...orderIds], codes };
    onCall?.({ ...what, outcome, ...found, ms, requests, client: clientOf(mcp, ctx), traceparent });
    endTurn?.();
    void client?.close(); // if a search failed, some of its requests may still be in progress
  };
  return {
    endsAt: startedAt + callLimits.deadlineMs,
    signal,
    traceparent,
    requests: () => requests,
    reportProgress: report,
    progressSent: sent,
    orderIds,
    record(orders: readonly { id: OrderId }[], more = 0): void {
      for (const { id } of orders) orderIds.add(id);
      codes += more;
    },
    async open(): Promise<Client> {
      endTurn = await waitForTurn?.(signal, callLimits.deadlineMs);
      client = await openClient((event) => {
        if (event.type === 'request' && event.sent) requests += 1;
        const message = describeEvent(event);
        if (message !== undefined) report(message);
      });
      return client;
    },
    end,
    /** Records that the call failed; if a bug caused this, also logs where in the code. */
    fail(error: unknown): void {
      const isKnown = isOrderLicenseError(error);
      end(isKnown ? error.code : 'internal');
      if (!isKnown) logDefect(what.tool ?? 'A reveal', error);
    },
  };
};

/**
 * Returns the client's name and version. Clients of revision 2026-07-28 send them in every request. Older clients send
 * them when a session begins, but over HTTP there are no sessions.
 */
const clientOf = (server: McpServer, { mcpReq }: ServerContext): CallRecord['client'] =>
  (mcpReq.envelope as { [CLIENT_INFO_META_KEY]?: CallRecord['client'] } | undefined)?.[CLIENT_INFO_META_KEY] ??
  server.server.getClientVersion();

/** Returns the W3C Trace Context from `_meta`; undefined if it is invalid, because it is logged. */
const traceparentOf = ({ mcpReq }: ServerContext): string | undefined => {
  const given = mcpReq._meta?.traceparent;
  return typeof given === 'string' &&
    /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/.test(given)
    ? given
    : undefined;
};

/** Tells a client what a call is doing, if the client asked for progress. */
const createProgress = ({ _meta, notify }: ServerContext['mcpReq']) => {
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
const describeEvent = (event: ClientEvent): string | undefined => {
  if (event.type === 'wait') return `Waiting at least ${seconds(event.waitMs)} s for the rate limit.`;
  if (event.type === 'retry' && event.code !== 'rate_limited') {
    return `Trying again in ${seconds(event.delayMs)} s after a failure (${event.status ?? event.code}).`;
  }
  return undefined;
};

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** Time without requests after which the whole limit is available, ms. */
const wholeLimitMs = 61_000;

/**
 * If the rate limit stopped a search before it had a result, changes the wait in the error to the time until the whole
 * limit is available. A retry with only a few permits would stop at the same place again.
 */
export const afterWholeLimit = (error: unknown, { requests }: Call): unknown => {
  if (!isRateLimitError(error) || error.source !== 'local' || requests() === 0) return error;
  const { reason, oldest, createdBefore, retryAfterMs } = error;
  const later = new RateLimitError('local', Math.max(wholeLimitMs, retryAfterMs), { reason });
  return oldest === undefined ? later : Object.assign(later, { oldest, createdBefore });
};

/**
 * Opens a client of core. Loads core and its transport only at the first call, because the server's first response
 * needs neither.
 * @throws `configuration` if the files of this server were replaced while it ran
 */
export const openClient = async (config: Config, onEvent: OnEvent): Promise<Client> => {
  const { createCallClient } = await import('./client.ts').catch(() => {
    throw configurationError(
      'Part of this server could not be loaded, for example because the server was updated while it was running',
      'Restart the server.',
    );
  });
  return createCallClient(config, onEvent);
};
