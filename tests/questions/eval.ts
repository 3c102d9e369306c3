// `./dev eval` puts the twelve questions to a model, and compares the model's figures with the mock's. Settings:
//   EVAL_URL    an OpenAI-compatible …/chat/completions, which most providers offer
//   EVAL_MODEL  the name of the model
//   EVAL_KEY    its API key, if it needs one
import { isDeepStrictEqual } from 'node:util';
import type { Mock } from '@order-license/mock-api';
import { type Assistant, openAssistant, ToolError } from './assistant.ts';
import { askModel, type ModelAddress } from './model.ts';
import { type Question, questions } from './questions.ts';
import { openLargeShop, openSmallShop } from './shops.ts';

/** The cost of a question, and whether the model's answer is correct. */
export interface Grade {
  text: string;
  isRight: boolean;
  calls: number;
  tokens: number;
  /** The number of license keys in the conversation that the question did not ask for. */
  leaked: number;
}

const form = 'End your answer with one line of JSON and nothing after it.';

export const grade = async (
  address: ModelAddress,
  question: Question,
  mock: Mock,
  assistant: Assistant,
): Promise<Grade> => {
  const truth = question.truth(mock);
  const { tools, instructions } = await assistant.describe();
  let seen = '';
  assistant.spent();
  const answer = await askModel(address, `${question.ask} ${form}`, instructions, tools, async (name, args) => {
    try {
      const text = JSON.stringify(await assistant.call(name, args));
      seen += text;
      return text;
    } catch (error) {
      if (error instanceof ToolError) return error.message;
      throw error;
    }
  });
  const { calls, tokens } = assistant.spent();
  const wanted = question.most.file ? (truth as unknown[]).length : truth;
  const keys = new Set(seen.match(/\b[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4}\b/g));
  const asked = new Set(Array.isArray(truth) && !question.most.file ? truth : []);
  const leaked = [...keys].filter((key) => !asked.has(key)).length;
  return { text: question.text, isRight: isDeepStrictEqual(readJson(answer), wanted), calls, tokens, leaked };
};

/** Parses the last line as JSON; undefined if it is not JSON. */
const readJson = (answer: string): unknown => {
  try {
    return JSON.parse(
      answer
        .trim()
        .replace(/^```\w*$|```$/gm, '')
        .trim()
        .split('\n')
        .at(-1) ?? '',
    );
  } catch {
    return undefined;
  }
};

const run = async (): Promise<void> => {
  const { EVAL_URL: url, EVAL_MODEL: model, EVAL_KEY: key } = process.env;
  if (!url || !model) {
    console.error('Set EVAL_URL and EVAL_MODEL, and EVAL_KEY if the model needs a key.');
    process.exitCode = 2;
    return;
  }
  const all: Grade[] = [];
  for (const question of questions) {
    const mock = question.shop === 'small' ? openSmallShop() : openLargeShop();
    const assistant = await openAssistant(mock);
    const one = await grade({ url, model, key }, question, mock, assistant);
    await assistant.close();
    console.log(
      `${one.isRight ? 'right' : 'WRONG'}  ${one.calls} calls, ${one.tokens} tokens, ${one.leaked} other keys  ${one.text}`,
    );
    all.push(one);
  }
  const sum = (name: 'calls' | 'tokens' | 'leaked') => all.reduce((total, one) => total + one[name], 0);
  const right = all.filter(({ isRight }) => isRight).length;
  console.log(
    `${right} of ${all.length} right, ${sum('calls')} calls, ${sum('tokens')} tokens, ${sum('leaked')} other keys`,
  );
  process.exitCode = right === all.length && sum('leaked') === 0 ? 0 : 1;
};

if (import.meta.main) await run();
