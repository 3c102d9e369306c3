import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { description } from './contents.ts';

/** Seals the state that travels through the client, because requests share no session. */
export const state = createRequestStateCodec<{ round: number }>({ key: crypto.getRandomValues(new Uint8Array(32)) });

const ask = (message: string, field: string, type: { type: 'string' } | { type: 'boolean' } = { type: 'string' }) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: type }, required: [field] },
  });
const complete = (words: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens: 50 });
const done = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });

type Answer = ReturnType<typeof done> | ReturnType<typeof inputRequired>;
type Ask = (request: ServerContext['mcpReq']) => Answer | Promise<Answer>;

/** Tools that first ask the client for input, and are then called again with that input. */
const tools: Record<string, Ask> = {
  test_missing_capability: ({ inputResponses }) =>
    inputResponses?.answer ? done('answered') : inputRequired({ inputRequests: { answer: complete('Say pong') } }),

  test_input_required_result_elicitation: ({ inputResponses }) => {
    const name = acceptedContent<{ name: string }>(inputResponses, 'user_name')?.name;
    if (typeof name === 'string') return done(`It is ${name}`);
    return inputRequired({ inputRequests: { user_name: ask('Who is it?', 'name') } });
  },
  test_input_required_result_sampling: ({ inputResponses }) =>
    inputResponses?.capital_question
      ? done(JSON.stringify(inputResponses.capital_question))
      : inputRequired({ inputRequests: { capital_question: complete('Which city is the capital of France?') } }),
  test_input_required_result_list_roots: ({ inputResponses }) =>
    inputResponses?.client_roots
      ? done(JSON.stringify(inputResponses.client_roots))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } }),

  test_input_required_result_request_state: async ({ inputResponses, requestState }) => {
    if (acceptedContent(inputResponses, 'confirm') && requestState()) return done('state-ok');
    return inputRequired({
      inputRequests: { confirm: ask('Go on?', 'ok', { type: 'boolean' }) },
      requestState: await state.mint({ round: 1 }),
    });
  },
  test_input_required_result_multiple_inputs: async ({ inputResponses }) => {
    if (inputResponses?.user_name && inputResponses.greeting && inputResponses.client_roots)
      return done('all answered');
    return inputRequired({
      inputRequests: {
        user_name: ask('Who is it?', 'name'),
        greeting: complete('Greet'),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await state.mint({ round: 1 }),
    });
  },
  test_input_required_result_multi_round: async ({ requestState }) => {
    const round = requestState<{ round: number }>()?.round ?? 0;
    if (round === 2) return done('both answered');
    const inputRequests = round === 0 ? { step1: ask('Who is it?', 'name') } : { step2: ask('Which color?', 'color') };
    return inputRequired({ inputRequests, requestState: await state.mint({ round: round + 1 }) });
  },
  test_input_required_result_tampered_state: async ({ inputResponses, requestState }) => {
    if (acceptedContent(inputResponses, 'confirm') && requestState()) return done('the state is as it was');
    return inputRequired({
      inputRequests: { confirm: ask('Go on?', 'ok', { type: 'boolean' }) },
      requestState: await state.mint({ round: 1 }),
    });
  },
  test_input_required_result_capabilities: ({ inputResponses, envelope }) => {
    const able = (envelope as Record<string, ClientCapabilities> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
    const inputRequests: InputRequests = {};
    if (able?.elicitation) inputRequests.user_name = ask('Who is it?', 'name');
    if (able?.sampling) inputRequests.greeting = complete('Greet');
    if (able?.roots) inputRequests.client_roots = inputRequired.listRoots();
    return inputResponses || Object.keys(inputRequests).length === 0
      ? done('enough')
      : inputRequired({ inputRequests });
  },
};

export const registerQuestions = (server: McpServer): void => {
  for (const [name, run] of Object.entries(tools)) {
    server.registerTool(name, { description, inputSchema: z.object({}) }, (_args, { mcpReq }) => run(mcpReq));
  }
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description, argsSchema: z.object({}).optional() },
    (_args, { mcpReq }) => {
      const context = acceptedContent<{ context: string }>(mcpReq.inputResponses, 'user_context')?.context;
      if (typeof context !== 'string') {
        return inputRequired({ inputRequests: { user_context: ask('About what?', 'context') } });
      }
      return { messages: [{ role: 'user', content: { type: 'text', text: `About ${context}` } }] };
    },
  );
};
