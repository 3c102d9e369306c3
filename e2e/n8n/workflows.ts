import { readdirSync, readFileSync } from 'node:fs';
import { credentials, modelCredentials, tokenCredentials } from './home.ts';

/** A node of a workflow, with the fields that these tests need. */
export interface WorkflowNode {
  id: string;
  name: string;
  type: string;
  typeVersion: number;
  position: [number, number];
  parameters: Record<string, unknown>;
  credentials?: unknown;
  [setting: string]: unknown;
}

/** Creates a node. Its position matters only in screenshots. */
const node = (
  id: string,
  name: string,
  [type, typeVersion]: readonly [string, number],
  parameters: Record<string, unknown>,
  more: Record<string, unknown> = {},
): WorkflowNode => ({ id, name, type, typeVersion, position: [220, 0], parameters, ...more });

const byHand = node('start', 'Start', ['n8n-nodes-base.manualTrigger', 1], {}, { position: [0, 0] });

/** Creates a step with the pack's node. A workflow with one step is named after the step's ID. */
export const orderLicense = (id: string, parameters: Record<string, unknown>): WorkflowNode =>
  node(id, 'Order License', ['n8n-nodes-order-license.orderLicense', 1], parameters, { credentials });

/** Creates a workflow whose nodes run one after the other. */
export const chain = (id: string, ...nodes: WorkflowNode[]) => ({
  id,
  name: id,
  nodes,
  connections: Object.fromEntries(
    nodes.slice(1).map(({ name }, place) => [nodes[place]?.name, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
  ),
});

/** Creates a workflow with one step, to be started manually. */
export const workflowOf = (id: string, step: WorkflowNode) => chain(id, byHand, step);

export interface Workflow {
  id: string;
  name: string;
  nodes: WorkflowNode[];
  connections: Record<string, { main: { node: string; type: string; index: number }[][] }>;
}

/** Returns the templates from `examples/n8n`, with the credential from `home.ts`. */
export const templates = (): Workflow[] => {
  const folder = new URL('../../examples/n8n/', import.meta.url);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const workflow = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Workflow;
      const nodes = workflow.nodes.map((node) =>
        node.type.startsWith('n8n-nodes-order-license.') ? { ...node, credentials } : node,
      );
      // n8n does not save the trigger state of a workflow whose ID is longer than 21 characters.
      return { ...workflow, nodes, id: file.replace('.json', '').replace('-distribution-', '-') };
    });
};

/**
 * A schedule that runs every five seconds. n8n rejects a rule that runs more than once a minute, but accepts twelve
 * rules that each run once a minute.
 */
export const everyFiveSeconds = {
  item: Array.from({ length: 12 }, (_, n) => ({ mode: 'custom', cronExpression: `${n * 5} * * * * *` })),
};

/** Creates the pack's trigger, which polls every minute. */
export const orderLicenseTrigger = (parameters: Record<string, unknown>): WorkflowNode =>
  node(
    'trigger',
    'Order License Trigger',
    ['n8n-nodes-order-license.orderLicenseTrigger', 1],
    { pollTimes: { item: [{ mode: 'everyMinute' }] }, ...parameters },
    { position: [0, 0], credentials },
  );

/**
 * Creates n8n's own MCP Client node, which calls one tool of a server over Streamable HTTP with the home's access
 * token.
 */
export const mcpClient = (id: string, url: string, tool: string, input: object): WorkflowNode => {
  const parameters = {
    serverTransport: 'httpStreamable',
    endpointUrl: url,
    authentication: 'bearerAuth',
    tool: { __rl: true, mode: 'id', value: tool },
    inputMode: 'json',
    jsonInput: JSON.stringify(input),
    options: {},
  };
  const type = ['@n8n/n8n-nodes-langchain.mcpClient', 1.1] as const;
  return node(id, 'MCP Client', type, parameters, { credentials: tokenCredentials });
};

/**
 * Creates a workflow in which an AI agent can use the pack's nodes as tools.
 * @param typeVersion version of the agent's node; older ones run tools in other ways
 */
export const agentWorkflow = (id: string, tools: Record<string, Record<string, unknown>>, typeVersion = 3) => {
  const text = { promptType: 'define', text: 'Answer the question.', options: {} };
  const agent = node('agent', 'AI Agent', ['@n8n/n8n-nodes-langchain.agent', typeVersion], text);
  const chat = { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} };
  const more = { position: [220, 220], credentials: modelCredentials };
  const model = node('model', 'Model', ['@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2], chat, more);
  const nodes = Object.entries(tools).map(([name, parameters]) => ({
    ...orderLicense(name, parameters),
    name,
    type: 'n8n-nodes-order-license.orderLicenseTool',
  }));
  const to = (type: string) => [[{ node: agent.name, type, index: 0 }]];
  return {
    id,
    name: id,
    // With n8n's older execution order, the agent would continue before its tools have run.
    settings: { executionOrder: 'v1' },
    nodes: [byHand, agent, model, ...nodes],
    connections: {
      Start: { main: to('main') },
      Model: { ai_languageModel: to('ai_languageModel') },
      ...Object.fromEntries(nodes.map(({ name }) => [name, { ai_tool: to('ai_tool') }])),
    },
  };
};

/** A step that drops events that it has passed on before, in tests or in earlier executions. */
export const removeDuplicates = node('dedupe', 'Remove Duplicates', ['n8n-nodes-base.removeDuplicates', 2], {
  operation: 'removeItemsSeenInPreviousExecutions',
  dedupeValue: '={{ $json.eventId }}',
  options: {},
});

/** Creates a step that sends a text to an address for each item. */
export const sendTo = (url: string, body: string): WorkflowNode => {
  const text = { sendBody: true, contentType: 'raw', rawContentType: 'text/plain', body };
  return node('send', 'Send', ['n8n-nodes-base.httpRequest', 4.2], { method: 'POST', url, ...text, options: {} });
};

/** Creates a workflow with one step. `GET /webhook/<id>` runs the step and returns its items. */
export const behindWebhook = (id: string, step: WorkflowNode) => {
  const parameters = { path: id, responseMode: 'lastNode', responseData: 'allEntries', options: {} };
  const webhook = node('webhook', 'Webhook', ['n8n-nodes-base.webhook', 2], parameters, { webhookId: id });
  return chain(id, webhook, step);
};
