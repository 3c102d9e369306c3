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

const byHand: WorkflowNode = {
  id: 'start',
  name: 'Start',
  type: 'n8n-nodes-base.manualTrigger',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
};

/** Creates a step with the pack's node. A workflow with one step is named after the step's ID. */
export const orderLicense = (id: string, parameters: Record<string, unknown>): WorkflowNode => ({
  id,
  name: 'Order License',
  type: 'n8n-nodes-order-license.orderLicense',
  typeVersion: 1,
  position: [220, 0],
  parameters,
  credentials,
});

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
export const orderLicenseTrigger = (parameters: Record<string, unknown>): WorkflowNode => ({
  id: 'trigger',
  name: 'Order License Trigger',
  type: 'n8n-nodes-order-license.orderLicenseTrigger',
  typeVersion: 1,
  position: [0, 0],
  parameters: { pollTimes: { item: [{ mode: 'everyMinute' }] }, ...parameters },
  credentials,
});

/**
 * Creates n8n's own HTTP Request node with pagination and no interval, which is the alternative to this pack.
 * @param completeWhen the expression that ends the pagination
 */
export const httpRequest = (id: string, url: string, apiKey: string, completeWhen: string): WorkflowNode => ({
  id,
  name: 'HTTP Request',
  type: 'n8n-nodes-base.httpRequest',
  typeVersion: 4.2,
  position: [220, 0],
  parameters: {
    url,
    sendHeaders: true,
    headerParameters: {
      parameters: [
        { name: 'Authorization', value: `Bearer ${apiKey}` },
        { name: 'Accept', value: 'application/json' },
      ],
    },
    sendQuery: true,
    queryParameters: { parameters: [{ name: 'per_page', value: '50' }] },
    options: {
      pagination: {
        pagination: {
          paginationMode: 'updateAParameterInEachRequest',
          parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
          paginationCompleteWhen: 'other',
          completeExpression: `={{ ${completeWhen} }}`,
        },
      },
    },
  },
});

/**
 * Creates n8n's own MCP Client node, which calls one tool of a server over Streamable HTTP with the home's access
 * token.
 */
export const mcpClient = (id: string, url: string, tool: string, input: object): WorkflowNode => ({
  id,
  name: 'MCP Client',
  type: '@n8n/n8n-nodes-langchain.mcpClient',
  typeVersion: 1.1,
  position: [220, 0],
  parameters: {
    serverTransport: 'httpStreamable',
    endpointUrl: url,
    authentication: 'bearerAuth',
    tool: { __rl: true, mode: 'id', value: tool },
    inputMode: 'json',
    jsonInput: JSON.stringify(input),
    options: {},
  },
  credentials: tokenCredentials,
});

/**
 * Creates a workflow in which an AI agent can use the pack's nodes as tools.
 * @param typeVersion version of the agent's node; older ones run tools in other ways
 */
export const agentWorkflow = (id: string, tools: Record<string, Record<string, unknown>>, typeVersion = 3) => {
  const agent: WorkflowNode = {
    id: 'agent',
    name: 'AI Agent',
    type: '@n8n/n8n-nodes-langchain.agent',
    typeVersion,
    position: [220, 0],
    parameters: { promptType: 'define', text: 'Answer the question.', options: {} },
  };
  const model: WorkflowNode = {
    id: 'model',
    name: 'Model',
    type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
    typeVersion: 1.2,
    position: [220, 220],
    parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
    credentials: modelCredentials,
  };
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
export const removeDuplicates: WorkflowNode = {
  id: 'dedupe',
  name: 'Remove Duplicates',
  type: 'n8n-nodes-base.removeDuplicates',
  typeVersion: 2,
  position: [110, 0],
  parameters: { operation: 'removeItemsSeenInPreviousExecutions', dedupeValue: '={{ $json.eventId }}', options: {} },
};

/** Creates a step that sends a text to an address for each item. */
export const sendTo = (url: string, body: string): WorkflowNode => ({
  id: 'send',
  name: 'Send',
  type: 'n8n-nodes-base.httpRequest',
  typeVersion: 4.2,
  position: [220, 0],
  parameters: {
    method: 'POST',
    url,
    sendBody: true,
    contentType: 'raw',
    rawContentType: 'text/plain',
    body,
    options: {},
  },
});

/** Creates a workflow with one step. `GET /webhook/<id>` runs the step and returns its items. */
export const behindWebhook = (id: string, step: WorkflowNode) => {
  const webhook: WorkflowNode = {
    id: 'webhook',
    name: 'Webhook',
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2,
    position: [0, 0],
    parameters: { path: id, responseMode: 'lastNode', responseData: 'allEntries', options: {} },
    webhookId: id,
  };
  return chain(id, webhook, step);
};
