import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openAssistant } from './assistant.ts';
import { grade } from './eval.ts';
import { questions } from './questions.ts';
import { openSmallShop } from './shops.ts';

/** Starts a model that calls order_license_list_orders, and then returns this text. */
const startModel = async (path: string, answer: string): Promise<string> => {
  const args = { per_page: 5 };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { messages } = JSON.parse(body) as { messages: unknown[] };
    const isFirst = !JSON.stringify(messages).includes('tool_');
    const uses =
      path === '/messages'
        ? {
            content: [
              isFirst
                ? { type: 'tool_use', id: 'a', name: 'order_license_list_orders', input: args }
                : { type: 'text', text: answer },
            ],
          }
        : {
            choices: [
              {
                message: isFirst
                  ? {
                      content: null,
                      tool_calls: [
                        { id: 'a', function: { name: 'order_license_list_orders', arguments: JSON.stringify(args) } },
                      ],
                    }
                  : { content: answer },
              },
            ],
          };
    response.end(JSON.stringify(uses));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
};

test.each(['/messages', '/chat/completions'])(
  "grades a model's answers against the true figures if the address ends in %s",
  async (path) => {
    const question = questions.find(({ text }) => text === 'The newest five orders');
    if (!question) throw new Error('The question is missing.');
    const mock = openSmallShop();
    const assistant = await openAssistant(mock);
    onTestFinished(() => assistant.close());
    const truth = JSON.stringify(await question.truth(mock));
    for (const [answer, isRight] of [
      [`Here they are.\n${truth}`, true],
      ['[1,2,3,4,5]', false],
      ['I do not know.', false],
    ] as const) {
      const url = await startModel(path, answer);
      const one = await grade({ url, model: 'scripted', key: undefined }, question, mock, assistant);
      expect(one).toMatchObject({ isRight, calls: 1, leaked: 0, tokens: expect.any(Number) });
    }
  },
);
