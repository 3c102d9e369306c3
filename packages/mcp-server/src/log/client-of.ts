import { CLIENT_INFO_META_KEY, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { CallRecord } from './access-log.ts';

/** Clients of 2026-07-28 identify themselves in every request, older ones when a session begins; HTTP has no sessions. */
export const clientOf = (server: McpServer, { mcpReq }: ServerContext): CallRecord['client'] =>
  (mcpReq.envelope as { [CLIENT_INFO_META_KEY]?: CallRecord['client'] } | undefined)?.[CLIENT_INFO_META_KEY] ??
  server.server.getClientVersion();
