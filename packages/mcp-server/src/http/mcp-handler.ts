import { createMcpHandler } from '@modelcontextprotocol/server';
import { openClient } from '../client/open-client.ts';
import { createMcpServer } from '../server/server.ts';
import type { OnFailure } from '../tools/tool.ts';
import type { Caller } from './admit.ts';
import type { HttpOptions } from './options.ts';
import type { McpRequest } from './web-bridge.ts';

/** Answers one request that was let in. */
export type McpHandler = (request: McpRequest, caller: Caller, onFailure: OnFailure) => Promise<Response>;

/** Answers with the tools and prompts of this package: one server of its own for every request. */
export const mcpHandler =
  (options: HttpOptions): McpHandler =>
  ({ request, message }, { apiKey }, onFailure) => {
    const createOne = () =>
      createMcpServer({
        openClient: (onEvent) => openClient({ ...options, apiKey }, onEvent),
        masking: options.masking,
        onFailure,
      });
    // A call can take long: the stream says every 15 s that it goes on, which keeps proxies from giving up.
    const responseMode = isToolCall(message) ? 'sse' : 'auto';
    return createMcpHandler(createOne, { maxSubscriptions: 0, responseMode }).fetch(request, { parsedBody: message });
  };

/** The only message that makes work: everything else is answered at once. */
export const isToolCall = (message: unknown): boolean =>
  (message as { method?: unknown } | null)?.method === 'tools/call';
