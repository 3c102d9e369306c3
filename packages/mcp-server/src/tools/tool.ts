import { CLIENT_INFO_META_KEY, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import {
  type Client,
  isOrderLicenseError,
  type OnEvent,
  OrderLicenseError,
  type Shape,
} from '@order-license/core/portable';
import type * as z from 'zod';
import { type AnswerTrace, traceOf } from '../answers/answer-trace.ts';
import { type Masking, showAnswer } from '../answers/masked-answer.ts';
import { errorResult, toolResult } from '../answers/result.ts';
import { visibleAnswer } from '../answers/visible-answer.ts';
import type { CallRecord, OnCall } from '../log/access-log.ts';
import { portableSchema } from './portable-schema.ts';
import { type ReportProgress, reportEvents, reportProgress } from './progress.ts';

/** What a tool works with while it runs. */
export interface ToolCall {
  client: Client;
  /** Aborted when the MCP client cancels the call. */
  signal: AbortSignal;
  /** Undefined when the MCP client did not ask for progress. */
  reportProgress: ReportProgress | undefined;
}

export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  /** The name of the file in snake case. */
  name: string;
  title: string;
  /** For the model: what it gives, when to use it and when another tool, what it costs. */
  description: string;
  input: Input;
  /**
   * Accepts every answer that core accepts: the SDK withholds an answer that does not meet it. So it asks for no more
   * than core leans on, and names the other fields in words: a property that may be anything would say nothing.
   */
  output: Output;
  /** What the API docs name of the service's answer: where anything is masked, only this is shown. */
  documented: Shape;
  run(args: z.output<Input>, call: ToolCall): Promise<Answer>;
}

/** What a tool answers. */
export interface Answer {
  /** What the service sent, unchanged. */
  data: object;
  /** Makes an answer of its own of as much of `data` as may be shown. Default: that, as it is. */
  shape?(shown: object): object;
  /** Where `data` is another answer than the tool usually gets: what the API docs name of it. */
  documented?: Shape;
}

/** @param data sent by the service */
export const shapedAnswer = <Data extends object>(data: Data, shape: (shown: Data) => object): Answer => ({
  data,
  shape: (shown) => shape(shown as Data),
});

export interface ToolSettings {
  /** Opens a client for one call, which reports its waits and requests to `onEvent`. */
  openClient(onEvent: OnEvent): Promise<Client>;
  /** Called when a call has ended. */
  onCall?: OnCall | undefined;
  masking: Masking;
}

export interface Tool {
  name: string;
  description: string;
  argumentNames: readonly string[];
  register(server: McpServer, settings: ToolSettings): void;
}

/** Every tool reads, changes nothing, gives the same when called again, and asks a service outside (§1, §3). */
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

/** A tool that answers as structured content and the same as JSON text; whatever it throws becomes an error result. */
export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool => {
  const { name, title, description, input, output, run } = definition;
  // Arguments are checked below, so that a wrong one is reported like every other error.
  const inputSchema = portableSchema<unknown>(input, (value) => ({ value }));
  const outputSchema = portableSchema<unknown>(output, output['~standard'].validate);

  const register: Tool['register'] = (server, { openClient, onCall, masking }) => {
    server.registerTool(name, { title, description, inputSchema, outputSchema, annotations }, async (args, ctx) => {
      const startedAt = performance.now();
      let requests = 0;
      const end = (outcome: string, trace: AnswerTrace = { orderIds: [], codes: 0 }): void => {
        const ms = Math.round(performance.now() - startedAt);
        onCall?.({ tool: name, outcome, ...trace, ms, requests, client: clientOf(server, ctx) });
      };
      try {
        const checked = checkArguments(input, args);
        const report = reportProgress(ctx.mcpReq);
        const reportEvent = report && reportEvents(report);
        const client = await openClient((event) => {
          if (event.type === 'request' && event.sent) requests += 1;
          reportEvent?.(event);
        });
        const call = { client, signal: ctx.mcpReq.signal, reportProgress: report };
        const { data, shape = (shown) => shown, documented = definition.documented } = await run(checked, call);
        const { shown, note } = showAnswer(visibleAnswer(data), documented, masking);
        const answer = { ...shape(shown), ...note };
        end('ok', traceOf(answer));
        return toolResult(answer);
      } catch (error) {
        end(isOrderLicenseError(error) ? error.code : 'internal');
        return errorResult(error, masking);
      }
    });
  };
  return { name, description, argumentNames: Object.keys(input.shape), register };
};

/** Clients of 2026-07-28 say in every request who they are, older ones when a session begins; over HTTP there is none. */
const clientOf = (server: McpServer, { mcpReq }: ServerContext): CallRecord['client'] =>
  (mcpReq.envelope as { [CLIENT_INFO_META_KEY]?: CallRecord['client'] } | undefined)?.[CLIENT_INFO_META_KEY] ??
  server.server.getClientVersion();

/** @throws `bad_request` with the words of the schema; null counts as left out, because some models send it so */
const checkArguments = <Input extends z.ZodObject>(input: Input, args: unknown): z.output<Input> => {
  const given = Object.entries(args ?? {}).filter(([, value]) => value !== null);
  const { data, error } = input.safeParse(Object.fromEntries(given));
  if (error) {
    const detail = [...new Set(error.issues.map(({ message }) => message))].join('. ');
    throw new OrderLicenseError('bad_request', { detail });
  }
  return data as z.output<Input>;
};
