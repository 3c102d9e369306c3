import {
  type CallToolResult,
  type Tool as ListedTool,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import { argumentError } from '@order-license/core/host';
import type { MaskedKind, Shape } from '@order-license/core/masking';
import type { Order } from '@order-license/core/portable';
import * as z from 'zod';
import { fitAnswer, fits } from '../answers/budget.ts';
import { maskingNote, showAnswer } from '../answers/masked-answer.ts';
import { errorResult } from '../answers/result.ts';
import { cardUri, showsApps, ticketsMetaKey, whoShowsKeys } from '../app/mcp-apps.ts';
import { ticketsFor } from '../app/tickets.ts';
import type { ToolSettings } from '../app/tool-settings.ts';
import { beginCall, type Call } from '../client/one-call.ts';
import { describeInvalid, noArgument } from './arguments.ts';
import { type Property, readArguments } from './read-arguments.ts';

/** The context of a running tool. */
export interface ToolCall extends Call {
  /** The folder in which files may be written; undefined without export. */
  exportFolder: string | undefined;
}

/** A tool: what models see of it, and what it returns. */
export interface Tool {
  /** The tool's name: the prefix `order_license_`, and the name of its source file in snake case. */
  name: string;
  title: string;
  /** Tells the model what the tool returns, when to use it or a different tool, and what it costs. */
  description: string;
  input: z.ZodObject;
  /**
   * Accepts every result that core accepts: the schema requires only what core needs, and describes other fields in
   * words.
   */
  output: z.ZodObject;
  /** The documented fields of the API's response. If anything is masked, the result shows only these fields. */
  documented: Shape;
  /** Hints for clients. Default: the hints of a tool that only reads. */
  annotations?: ToolAnnotations;
  /**
   * Whether the order card shows the tool's results to people; takes effect only with ORDER_LICENSE_LICENSE_KEYS=app.
   */
  hasCard?: true;
  run(args: object, call: ToolCall): Promise<object>;
}

/** Returns the tool unchanged. The types ensure that `run` accepts what `input` returns. */
export const defineTool = <Input extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'run'> & { input: Input; run(args: z.output<Input>, call: ToolCall): Promise<object> },
): Tool => tool;

/**
 * The annotations of tools that only read, which are all tools except the export. All tools call an external API (§1,
 * §3).
 */
const readsOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

/** The tools as `tools/list` describes them. They are kept, because making a schema takes half a millisecond. */
const listed = new WeakMap<Tool, ListedTool>();

/** Returns the tool as `tools/list` describes it. */
export const listedTool = (tool: Tool): ListedTool => {
  const { name, title, description, input, output, annotations = readsOnly } = tool;
  const made = listed.get(tool) ?? {
    name,
    title,
    description,
    annotations,
    inputSchema: portableJsonSchema(input, 'input'),
    outputSchema: portableJsonSchema(output, 'output'),
  };
  listed.set(tool, made);
  return made;
};

interface ObjectSchema extends Record<string, unknown> {
  type: 'object';
}

/**
 * Keywords to remove: they cost tokens in every conversation, and some model providers reject them. llama.cpp makes a
 * grammar of all tools, and rejects every tool if one has `\d` in a pattern or allows 2,000 items.
 */
const noise = /^(\$schema|additionalProperties|pattern|(min|max)(Length|Items))$/;
/** Bounds to remove: zod adds them to all whole numbers. */
const bounds: ReadonlySet<unknown> = new Set([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);

/** Returns a short JSON Schema of the same types. Calls are checked with `schema` itself. */
const portableJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): ObjectSchema =>
  JSON.parse(
    JSON.stringify(z.toJSONSchema(schema, { io }), (name, value) =>
      noise.test(name) || bounds.has(value) ? undefined : value,
    ),
  );

/**
 * Serves the tools. The SDK's own lists are the same for every client, so they can't offer the card only to some
 * clients.
 */
export const serveTools = (mcp: McpServer, settings: ToolSettings, tools: readonly Tool[]): void => {
  mcp.server.setRequestHandler('tools/list', (_request, ctx) => {
    const card = settings.card && showsApps(mcp, ctx) ? { _meta: { ui: { resourceUri: cardUri } } } : {};
    return { tools: tools.map((tool) => ({ ...listedTool(tool), ...(tool.hasCard && card) })) };
  });
  mcp.server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
    return callTool(tool, params.arguments ?? {}, settings, mcp, ctx);
  });
};

/** Calls a tool. Returns the result as structured content and as JSON text; exceptions become error results. */
const callTool = async (
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  settings: ToolSettings,
  mcp: McpServer,
  ctx: ServerContext,
): Promise<CallToolResult> => {
  const { name, documented, hasCard, run } = tool;
  const { masking, card, exportFolder, isOperatorsKey } = settings;
  const call = beginCall(settings, mcp, ctx, { event: 'tool_call', tool: name });
  const masked = new Set<MaskedKind>();
  const withNote = (answer: object): object =>
    masked.size === 0
      ? answer
      : { ...answer, masking: maskingNote(masked, whoShowsKeys(card !== undefined, mcp, ctx)) };
  let orders: readonly Order[] = [];
  try {
    const checked = checkArguments(tool, args);
    const answer = await run(checked, {
      ...call,
      client: await call.open(),
      show(data, beside) {
        const answer = showAnswer(data, documented, masking, beside);
        for (const kind of answer.masked) masked.add(kind);
        if (hasCard) orders = (data as unknown as { orders: Order[] }).orders;
        return answer.shown;
      },
      peek: (data) => showAnswer(data, documented, masking).shown,
      fits: (answer) => fits(withNote(answer)),
      exportFolder,
    });
    // The result twice: as compact JSON for clients that show only text, and structured. Neither has undefined fields.
    const text = JSON.stringify(fitAnswer(withNote(answer)));
    const result: CallToolResult = { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
    if (card && hasCard && showsApps(mcp, ctx)) {
      const shown = orders.filter(({ id }) => call.orderIds.has(id));
      result._meta = { [ticketsMetaKey]: ticketsFor(shown, card) };
    }
    call.end('ok');
    return result;
  } catch (error) {
    call.fail(error);
    return errorResult(error, masking, isOperatorsKey);
  } finally {
    await call.progressSent();
  }
};

/** Maximum number of invalid arguments that an error describes. */
const maxDescribed = 3;

/**
 * Reads and checks the arguments of a call.
 * @throws `bad_request` with the schema's messages
 */
const checkArguments = (tool: Tool, args: Readonly<Record<string, unknown>>): object => {
  const properties = listedTool(tool).inputSchema.properties as Record<string, Property>;
  const { data, error } = tool.input.safeParse(readArguments(properties, args), { error: describeInvalid });
  if (data) return data;
  const issues = error.issues.toSorted((one, other) => rank(one) - rank(other));
  const messages = [...new Set(issues.map(describeIssue))];
  throw argumentError(
    messages.slice(0, maxDescribed).join('. '),
    messages.length > maxDescribed ? 'Other arguments are invalid, too.' : undefined,
  );
};

/** Puts misspelled names before invalid values. */
const rank = ({ code }: z.core.$ZodIssue): number => (code === 'unrecognized_keys' ? 0 : 1);

const describeIssue = (issue: z.core.$ZodIssue): string =>
  issue.code === 'unrecognized_keys' ? `${noArgument(issue.keys)}. ${issue.message}` : issue.message;
