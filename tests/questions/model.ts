import type { Json } from '../servers/mcp-rows.ts';

/** A tool as `tools/list` describes it. */
export interface ModelTool {
  name: string;
  description?: string | undefined;
  inputSchema: object;
}

/** Calls a tool. @returns the text of its result */
export type CallTool = (name: string, args: Json) => Promise<string>;

/** The address of a model's chat completions, in the form that most providers offer. */
export interface ModelAddress {
  url: string;
  model: string;
  key: string | undefined;
}

const maxTurns = 20;

interface Message {
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}

/** Puts a question to the model, and runs its tools until it answers. @returns its last text */
export const askModel = async (
  { url, model, key }: ModelAddress,
  question: string,
  system: string,
  tools: readonly ModelTool[],
  call: CallTool,
): Promise<string> => {
  const messages: unknown[] = [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ];
  const listed = tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
  for (let turn = 0; turn < maxTurns; turn++) {
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const { choices } = await post<{ choices: [{ message: Message }] }>(url, headers, {
      model,
      messages,
      tools: listed,
    });
    const [{ message }] = choices;
    messages.push({ role: 'assistant', ...message });
    if (!message.tool_calls?.length) return message.content ?? '';
    for (const { id, function: asked } of message.tool_calls) {
      const content = await call(asked.name, JSON.parse(asked.arguments || '{}') as Json);
      messages.push({ role: 'tool', tool_call_id: id, content });
    }
  }
  return 'no answer';
};

const post = async <Answer>(url: string, headers: Record<string, string>, body: object): Promise<Answer> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The model returned ${response.status}: ${(await response.text()).slice(0, 300)}`);
  return (await response.json()) as Answer;
};
