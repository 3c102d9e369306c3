import { CLIENT_INFO_META_KEY, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { configurationError } from '@order-license/core/host';
import { type Client, isOrderLicenseError, type OnEvent } from '@order-license/core/portable';
import type { Config } from '../config/config.ts';
import type { CallRecord, OnCall } from '../log/access-log.ts';
import { logDefect } from '../log/stderr.ts';

export const callLimits = {
  /**
   * Maximum wait for the rate limit, ms. If the wait would be longer, the call fails at once, with an error that says
   * how long to wait.
   */
  maxWaitMs: 20_000,
  /** Maximum duration of a tool call, including waits and retries, ms: common MCP clients give up after 60 s. */
  deadlineMs: 45_000,
};

/** Opens a client for one call, which must close it. The client reports its waits and requests to `onEvent`. */
export type OpenClient = (onEvent: OnEvent) => Promise<Client>;

/** Waits until a call may run, at most `maxWaitMs`, and returns a function to call when it has ended. */
export type WaitForTurn = (signal: AbortSignal, maxWaitMs: number) => Promise<() => void>;

/**
 * Begins a tool call or a reveal from this MCP client.
 * @returns `open`, which waits until the call may run and opens its client; `end` or `fail`, which must be called at the
 * end: they record how the call ended, and close its client
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
  const traceparent = traceparentOf(ctx);
  let requests = 0;
  let client: Client | undefined;
  let endTurn: (() => void) | undefined;
  const end = (outcome: string, trace: Pick<CallRecord, 'orderIds' | 'codes'> = { orderIds: [], codes: 0 }): void => {
    const ms = Math.round(performance.now() - startedAt);
    onCall?.({ ...what, outcome, ...trace, ms, requests, client: clientOf(mcp, ctx), traceparent });
    endTurn?.();
    void client?.close(); // if a search failed, some of its requests may still be in progress
  };
  return {
    /** Time by which the call must end, on the clock of `performance.now()`, ms. The wait for its turn counts. */
    endsAt: startedAt + callLimits.deadlineMs,
    /** The caller's W3C traceparent, which appears in the events of every read in the call. */
    traceparent,
    /** Returns the number of requests sent to the API so far. */
    requests: () => requests,
    async open(onEvent?: OnEvent): Promise<Client> {
      endTurn = await waitForTurn?.(ctx.mcpReq.signal, callLimits.deadlineMs);
      client = await openClient((event) => {
        if (event.type === 'request' && event.sent) requests += 1;
        onEvent?.(event);
      });
      return client;
    },
    end,
    /** Records that the call failed; if a bug caused this, also logs where in the code. */
    fail(error: unknown, orderIds: CallRecord['orderIds'] = []): void {
      const isKnown = isOrderLicenseError(error);
      end(isKnown ? error.code : 'internal', { orderIds, codes: 0 });
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
