import { createMcpHandler, type JSONRPCMessage } from '@modelcontextprotocol/server';
import type { ClientEvent } from '@order-license/core/portable';
import { openClient } from '../client/one-call.ts';
import { type AccessCaller, createAccessLog, type OnCall, shortHash } from '../log/access-log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createMcpServer } from '../server/server.ts';
import { asJson } from './accept.ts';
import type { Caller } from './admit.ts';
import { createCallQueue } from './call-queue.ts';
import type { HttpOptions } from './options.ts';
import type { McpRequest } from './read-request.ts';

/** Responds to one admitted request. */
export type McpHandler = (request: McpRequest, caller: Caller, onCall: OnCall) => Promise<Response>;

/** Serves this package's tools and prompts, with a new server for every request. */
export const mcpHandler =
  (options: HttpOptions, metrics?: Metrics, queue = createCallQueue(options.maxPerCaller)): McpHandler =>
  async ({ request, message, form }, caller, onCall) => {
    const { apiKey, subject, isOperatorsKey } = caller;
    const log = options.accessLog ? createAccessLog(describeCaller(caller, options)) : undefined;
    const createOne = () =>
      createMcpServer({
        openClient(onEvent) {
          const report = (event: ClientEvent): void => {
            metrics?.event(event);
            onEvent(event);
          };
          return openClient({ ...options, apiKey }, report);
        },
        waitForTurn: (signal, maxWaitMs) => queue(caller.id, AbortSignal.any([signal, request.signal]), maxWaitMs),
        masking: options.masking,
        isOperatorsKey,
        card: options.orderCard ? { apiKey, subject } : undefined,
        onCall(call) {
          log?.(call);
          metrics?.call(call);
          onCall(call);
        },
      });
    // The results of calls are streamed: during a long call, the stream sends a comment every 15 s, so that proxies
    // keep the connection open.
    const responseMode = form === 'stream' || (form === 'either' && isCall(message)) ? 'sse' : 'auto';
    const handler = createMcpHandler(createOne, { maxSubscriptions: 0, responseMode });
    const response = await handler.fetch(request, { parsedBody: message });
    return form === 'json' ? asJson(response) : response;
  };

const describeCaller = ({ subject, id, apiKey }: Caller, { accessToken }: HttpOptions): AccessCaller => {
  if (subject !== undefined) return { subject };
  return id === undefined && accessToken !== undefined ? { token: shortHash(accessToken) } : { key: shortHash(apiKey) };
};

/** Whether the message may cause requests to the API. All other messages get an immediate response. */
const isCall = (message: JSONRPCMessage): boolean =>
  'method' in message && ['tools/call', 'resources/read'].includes(message.method);
