import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import type * as N8nWorkflow from 'n8n-workflow';
import type {
  IAuthenticate,
  ICredentialType,
  IDataObject,
  IExecuteFunctions,
  IHttpRequestOptions,
  INode,
  INodeExecutionData,
  INodeType,
  INodeTypes,
  NodeExecutionHint,
  NodeParameterValueType,
} from 'n8n-workflow';

// Node cannot load the ES modules of n8n-workflow.
const { NodeHelpers, Workflow } = createRequire(import.meta.url)('n8n-workflow') as typeof N8nWorkflow;

export interface ExecutionOptions {
  node: INodeType;
  credentialType: ICredentialType;
  credential: { baseUrl: string; apiKey: string; requestsPerMinute?: number };
  /**
   * The user's parameters; all others have the defaults from the node's description. n8n evaluates expressions, which
   * begin with `=`, for each input item.
   */
  parameters?: IDataObject;
  /** The input items; one empty item by default. */
  items?: INodeExecutionData[];
  continueOnFail?: boolean;
  cancelSignal?: AbortSignal;
  /** `manual` if the user tests the node in the editor. */
  mode?: 'trigger' | 'manual';
  /**
   * `init` when n8n itself starts the workflow, `activate` when a person publishes it, `update` when a person publishes
   * a new version, and for each poll of n8n's durable scheduler.
   */
  activation?: 'init' | 'activate' | 'update';
  staticData?: IDataObject;
  /** ID of the workflow. By default, all executions have the same ID. */
  workflowId?: string;
  timezone?: string;
  /** Maximum duration of a poll, ms; undefined if n8n does not report one. */
  pollBudgetMs?: number;
  /** Whether the node runs as a tool of an AI agent. */
  asTool?: boolean;
  /** Responds to requests in place of `fetch`. */
  send?: (request: IHttpRequestOptions) => N8nResponse | Promise<N8nResponse>;
}

type AuthenticateByFunction = Extract<IAuthenticate, (...given: never[]) => unknown>;

/** The result of n8n's HTTP helper with `returnFullResponse`; nodes get the body as a stream. */
export interface N8nResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: ArrayBuffer;
}

export interface Execution {
  /** The simulated `this` with which n8n runs an execution, a poll or a list search in the editor. */
  context: IExecuteFunctions;
  hints: NodeExecutionHint[];
  logs: string[];
  staticData: IDataObject;
}

/**
 * Simulates n8n around one node: parameters (by n8n's own code), credential, HTTP through fetch, and the node's logs and
 * hints.
 */
export const createExecution = (options: ExecutionOptions): Execution => {
  const { node, credentialType, credential, mode = 'trigger', staticData = {} } = options;
  const hints: NodeExecutionHint[] = [];
  const logs: string[] = [];
  const log = (message: string, fields?: object) => logs.push(`${message} ${JSON.stringify(fields ?? {})}`);
  const asTool = options.asTool ?? false;
  const items = options.items ?? [{ json: {} }];
  const { name, version } = node.description;
  const itself: INode = {
    id: 'node',
    name: node.description.displayName,
    type: asTool ? `${name}Tool` : name,
    typeVersion: Array.isArray(version) ? (version[0] ?? 1) : version,
    position: [0, 0],
    parameters: {},
  };
  const parameterOf = parametersOf(node, itself, items, options.parameters);

  const context = {
    logger: { debug: log, info: log, warn: log, error: log },
    getNode: () => itself,
    getWorkflow: () => ({ id: options.workflowId ?? 'workflow', name: 'Workflow', active: mode !== 'manual' }),
    getMode: () => mode,
    sendMessageToUI: () => {},
    getActivationMode: () => options.activation ?? 'init',
    getTimezone: () => options.timezone ?? 'UTC',
    getInputData: () => items,
    getCredentials: async () => ({ requestsPerMinute: 60, ...credential }),
    getExecutionCancelSignal: () => options.cancelSignal,
    continueOnFail: () => options.continueOnFail ?? false,
    addExecutionHints: (...more: NodeExecutionHint[]) => hints.push(...more),
    getWorkflowStaticData: () => staticData,
    ...(options.pollBudgetMs !== undefined && { getPollBudgetMs: () => options.pollBudgetMs }),
    getNodeParameter(parameter: string, ...rest: unknown[]) {
      const [item, fallback] = typeof rest[0] === 'number' ? rest : [0, rest[0]];
      return parameterOf(parameter, item as number, fallback);
    },
    helpers: {
      async httpRequestWithAuthentication(_type: string, request: IHttpRequestOptions) {
        if (options.send) {
          const { body, ...rest } = await options.send(request);
          return { ...rest, body: Readable.from([new Uint8Array(body)]) };
        }
        const authenticate = credentialType.authenticate as AuthenticateByFunction;
        const { headers } = await authenticate(credential, request);
        const response = await fetch(request.url, {
          headers: headers as Record<string, string>,
          redirect: request.disableFollowRedirect ? 'manual' : 'follow',
          signal: (request.abortSignal as AbortSignal | undefined) ?? null,
        });
        return {
          statusCode: response.status,
          headers: Object.fromEntries(response.headers),
          body: response.body ? Readable.fromWeb(response.body as ReadableStream) : Readable.from([]),
        };
      },
    },
  };
  return { context: context as unknown as IExecuteFunctions, hints, logs, staticData };
};

/** Changes the body of each response. */
export const changeBodies = ({ context }: Execution, change: (body: string) => string): void => {
  const { helpers } = context;
  const send = helpers.httpRequestWithAuthentication;
  helpers.httpRequestWithAuthentication = async (...request) => {
    const { body, ...rest } = await send.apply(context as never, request);
    return { ...rest, body: Readable.from([Buffer.from(change(await text(body)))]) };
  };
};

/**
 * Sets the parameters of a node: those given, and the defaults of all others that n8n shows. Returns a function that
 * reads a parameter, and evaluates its expressions for an input item.
 */
const parametersOf = (nodeType: INodeType, node: INode, items: INodeExecutionData[], given: IDataObject = {}) => {
  const description = { ...nodeType.description, name: node.type };
  const { properties } = description;
  const shown = NodeHelpers.getNodeParameters(properties, given as INode['parameters'], true, false, node, description);
  node.parameters = { ...shown, ...given } as INode['parameters'];
  const nodeTypes = { getByNameAndVersion: () => nodeType } as unknown as INodeTypes;
  let workflow: N8nWorkflow.Workflow | undefined;
  const evaluate = (value: unknown, item: number): unknown => {
    if (Array.isArray(value)) return value.map((one) => evaluate(one, item));
    if (value?.constructor === Object) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, evaluate(inner, item)]));
    }
    if (typeof value !== 'string' || !value.startsWith('=')) return value;
    workflow ??= new Workflow({ nodes: [{ ...node, parameters: {} }], connections: {}, active: false, nodeTypes });
    return workflow.expression.getParameterValue(
      value as NodeParameterValueType,
      null,
      0,
      item,
      node.name,
      items,
      'manual',
      {},
    );
  };
  return (name: string, item: number, fallback: unknown): unknown =>
    evaluate(name in node.parameters ? node.parameters[name] : fallback, item);
};
