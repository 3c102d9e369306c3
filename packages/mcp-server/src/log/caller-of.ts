import { CLIENT_INFO_META_KEY, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { CallRecord } from './access-log.ts';

/** The caller's program, and the trace that it takes part in. */
export const callerOf = (server: McpServer, ctx: ServerContext): Pick<CallRecord, 'client' | 'traceparent'> => ({
  client: clientOf(server, ctx),
  traceparent: traceparentOf(ctx),
});

/** Clients of 2026-07-28 identify themselves in every request, older ones when a session begins; HTTP has no sessions. */
const clientOf = (server: McpServer, { mcpReq }: ServerContext): CallRecord['client'] =>
  (mcpReq.envelope as { [CLIENT_INFO_META_KEY]?: CallRecord['client'] } | undefined)?.[CLIENT_INFO_META_KEY] ??
  server.server.getClientVersion();

/** W3C Trace Context in `_meta`; undefined if it is malformed, since it is logged. */
const traceparentOf = ({ mcpReq }: ServerContext): string | undefined => {
  const given = mcpReq._meta?.traceparent;
  return typeof given === 'string' && /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(given) ? given : undefined;
};
