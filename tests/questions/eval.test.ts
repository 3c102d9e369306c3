import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '@order-license/testing/loopback';
import { expect, onTestFinished, test } from 'vitest';
import { openAssistant } from './assistant.ts';
import { grade } from './eval.ts';
import { questions } from './questions.ts';
import { openSmallShop } from './shops.ts';

/** Starts a model that calls order_license_list_orders, and then returns this text. */
const startModel = async (answer: string): Promise<string> => {
  const call = { name: 'order_license_list_orders', arguments: JSON.stringify({ per_page: 5 }) };
  const server = createServer(async (request, response) => {
    const isFirst = !(await text(request)).includes('tool_call_id');
    const message = isFirst ? { content: null, tool_calls: [{ id: 'a', function: call }] } : { content: answer };
    response.end(JSON.stringify({ choices: [{ message }] }));
  });
  return `http://127.0.0.1:${(await listenOnLoopback(server)).port}/chat/completions`;
};

test("grades a model's answers against the true figures", async () => {
  const question = questions.find(({ text }) => text === 'The newest five orders');
  if (!question) throw new Error('The question is missing.');
  const mock = openSmallShop();
  const assistant = await openAssistant(mock);
  onTestFinished(() => assistant.close());
  const truth = JSON.stringify(question.truth(mock));
  for (const [answer, isRight] of [
    [`Here they are.\n${truth}`, true],
    ['[1,2,3,4,5]', false],
    ['I do not know.', false],
  ] as const) {
    const url = await startModel(answer);
    const one = await grade({ url, model: 'scripted', key: undefined }, question, mock, assistant);
    expect(one).toMatchObject({ isRight, calls: 1, leaked: 0, tokens: expect.any(Number) });
  }
});
