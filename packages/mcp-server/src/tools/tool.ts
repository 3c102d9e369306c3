import type { Tool as ListedTool, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Shape } from '@order-license/core/masking';
import { type Order, OrderLicenseError } from '@order-license/core/portable';
import type * as z from 'zod';
import { traceOf } from '../answers/answer-trace.ts';
import { type Masking, showAnswer } from '../answers/masked-answer.ts';
import { errorResult, toolResult } from '../answers/result.ts';
import { showsApps, ticketsMetaKey, whoShowsKeys } from '../app/mcp-apps.ts';
import { ticketsFor } from '../app/tickets.ts';
import type { ToolSettings } from '../app/tool-settings.ts';
import { callLimits } from '../client/call-limits.ts';
import { beginCall } from '../client/one-call.ts';
import type { Call } from '../read/call.ts';
import { portableJsonSchema, portableSchema } from './portable-schema.ts';
import { reportEvents, reportProgress } from './progress.ts';

/** The context of a running tool. */
export interface ToolCall extends Call {
  masking: Masking;
  /** Where files may be written; undefined without export. */
  exportFolder: string | undefined;
}

export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  /** The name of the file in snake case. */
  name: string;
  title: string;
  /** For the model: what it returns, when to use it or another tool, and what it costs. */
  description: string;
  input: Input;
  /**
   * Accepts every answer that core accepts, because the SDK withholds answers that don't match. So it requires only what
   * core needs, and describes the other fields in words.
   */
  output: Output;
  /** The documented fields of the service's answer: if anything is masked, only these are shown. */
  documented: Shape;
  /** Default: it only reads. */
  annotations?: ToolAnnotations;
  /** Whether the order card shows its answers to people, if only the card may show license keys. */
  hasCard?: true;
  run(args: z.output<Input>, call: ToolCall): Promise<Answer>;
}

/** What a tool answers. */
export interface Answer {
  /** What the service sent, unchanged. */
  data: object;
  /** Builds the answer from the visible part of `data`. Default: that part, unchanged. */
  shape?(shown: object): object;
  /** The documented fields of `data`, if it isn't the tool's usual answer. */
  documented?: Shape;
}

/** @param data sent by the service */
export const shapedAnswer = <Data extends object>(data: Data, shape: (shown: Data) => object): Answer => ({
  data,
  shape: (shown) => shape(shown as Data),
});

export interface Tool {
  name: string;
  description: string;
  /** As `tools/list` names it. */
  listed(): ListedTool;
  hasCard: boolean;
  argumentNames: readonly string[];
  register(server: McpServer, settings: ToolSettings): void;
}

/** Every tool but the export is read-only and idempotent; all call an external service (§1, §3). */
const readsOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

/** A tool that answers with structured content and the same as JSON text; exceptions become error results. */
export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool => {
  const { name, title, description, input, output, annotations = readsOnly, hasCard = false, run } = definition;
  // Arguments are checked below, so that a wrong one is reported like every other error.
  const inputSchema = portableSchema<unknown>(input, (value) => ({ value }));
  const outputSchema = portableSchema<unknown>(output, output['~standard'].validate);

  const listed: Tool['listed'] = () => ({
    name,
    title,
    description,
    inputSchema: portableJsonSchema(input, 'input'),
    outputSchema: portableJsonSchema(output, 'output'),
    annotations,
  });

  const register: Tool['register'] = (server, settings) => {
    const { masking, card, exportFolder } = settings;
    server.registerTool(name, { title, description, inputSchema, outputSchema, annotations }, async (args, ctx) => {
      const call = beginCall(settings, server, ctx, { event: 'tool_call', tool: name });
      try {
        const checked = checkArguments(input, args);
        const report = reportProgress(ctx.mcpReq);
        const client = await call.open(report && reportEvents(report));
        const {
          data,
          shape = (shown) => shown,
          documented = definition.documented,
        } = await run(checked, {
          ...{ client, signal: ctx.mcpReq.signal, reportProgress: report, requests: call.requests },
          ...{ endsAt: call.startedAt + callLimits.deadlineMs, masking, exportFolder },
        });
        const { shown, note } = showAnswer(data, documented, masking, whoShowsKeys(card !== undefined, server, ctx));
        const answer = { ...shape(shown), ...note };
        const trace = traceOf(answer);
        call.end('ok', trace);
        const result = toolResult(answer);
        if (!card || !hasCard || !showsApps(server, ctx)) return result;
        const shownOrders = (data as { orders: Order[] }).orders.filter(({ id }) => trace.orderIds.includes(id));
        return { ...result, _meta: { [ticketsMetaKey]: ticketsFor(shownOrders, card) } };
      } catch (error) {
        call.fail(error);
        return errorResult(error, masking);
      }
    });
  };
  return { name, description, listed, hasCard, argumentNames: Object.keys(input.shape), register };
};

/** @throws `bad_request` with the schema's message; null counts as missing, because some models send it */
const checkArguments = <Input extends z.ZodObject>(input: Input, args: unknown): z.output<Input> => {
  const given = Object.entries(args ?? {}).filter(([, value]) => value !== null);
  const { data, error } = input.safeParse(Object.fromEntries(given));
  if (error) {
    const detail = [...new Set(error.issues.map(({ message }) => message))].join('. ');
    throw new OrderLicenseError('bad_request', { detail });
  }
  return data as z.output<Input>;
};
