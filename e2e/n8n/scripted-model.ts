import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A tool as the model sees it. */
export interface OfferedTool {
  name: string;
  description: string;
  parameters: { properties: Record<string, { type: string; description?: string }>; required?: string[] };
}

/** One turn of the model: a tool call, or its final message. */
export type Turn = { tool: string; input: object } | string;

export interface ScriptedModel {
  url: string;
  /** The model's next turns, in order. */
  script: Turn[];
  /** Everything sent to the model. */
  requests: string[];
  /** Returns the tools from the last request. */
  tools(): OfferedTool[];
  /** Returns the tool results from the last request. */
  results(): string[];
  close(): void;
}

interface ChatRequest {
  stream?: boolean;
  tools?: { function: OfferedTool }[];
  messages: { role: string; content: string }[];
}

/** Starts a model that follows a script, and serves it on loopback with the OpenAI chat API. */
export const startScriptedModel = async (): Promise<ScriptedModel> => {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    model.requests.push(body);
    const { stream } = JSON.parse(body) as ChatRequest;
    const turn = model.script.shift() ?? "The model's script has no more turns.";
    const call =
      typeof turn === 'string'
        ? undefined
        : {
            id: `call-${model.requests.length}`,
            type: 'function',
            function: { name: turn.tool, arguments: JSON.stringify(turn.input) },
          };
    const message = { role: 'assistant', content: call ? null : turn, ...(call && { tool_calls: [call] }) };
    const common = { id: 'chat', created: 0, model: 'scripted' };
    const finish_reason = call ? 'tool_calls' : 'stop';
    if (stream) {
      const delta = { ...message, ...(call && { tool_calls: [{ index: 0, ...call }] }) };
      const chunk = { ...common, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] };
      response.setHeader('Content-Type', 'text/event-stream').end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
      return;
    }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const answer = { ...common, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const last = () => JSON.parse(model.requests.at(-1) ?? '{"messages":[]}') as ChatRequest;
  const model: ScriptedModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    script: [],
    requests: [],
    tools: () => (last().tools ?? []).map((tool) => tool.function),
    results: () =>
      last()
        .messages.filter(({ role }) => role === 'tool')
        .map(({ content }) => content),
    close: () => server.close(),
  };
  return model;
};
