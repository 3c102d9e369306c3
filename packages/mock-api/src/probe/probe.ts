import { dataOf, ordersOf } from './answer.ts';
import { type AskOptions, askAll, failureOf } from './ask.ts';
import { type Comparison, compare } from './compare.ts';
import { countFor, limitQuestion, questionsFor, type Wishes } from './questions.ts';

export type ProbeOptions = AskOptions & Wishes;

export interface ProbeReport extends Comparison {
  baseUrl: string;
  /** Number of requests that were sent. */
  questions: number;
  maxQuestions: number;
  durationMs: number;
  /** Why the probe ended early; absent if it sent every question. */
  stopped?: string;
  /** Number of 429s before the probe tried to exceed the limit. Other programs with the same key can cause them. */
  rejected: number;
  /** Whether any response could be read as the API docs describe it. */
  readable: boolean;
  /** The questions without a usable response, without duplicates. */
  failed: string[];
}

/** Puts the same questions to an API and to a mock, and compares the responses. Never rejects because of the API. */
export const probe = async (options: ProbeOptions): Promise<ProbeReport> => {
  const { baseUrl, apiKey, clock } = options;
  const startedAt = clock.now();
  const { answers, ...end } = await askAll(options, questionsFor(options));
  // If no list was read, the responses may come from a program other than the API, unless all of them are redirects.
  const isMoved = answers.length > 0 && answers.every(({ status }) => status >= 300 && status < 400);
  const isCertain = isMoved || answers.some((answer) => ordersOf(answer));
  const failures = answers.flatMap((answer) => {
    const why = failureOf(answer);
    return why ? [`${answer.question.label}: ${why}`] : [];
  });
  return {
    baseUrl: baseUrl.replaceAll(apiKey, '***'),
    questions: answers.length,
    maxQuestions: countFor(options),
    durationMs: clock.now() - startedAt,
    ...end,
    rejected: answers.filter(({ question, status }) => status === 429 && question !== limitQuestion).length,
    readable: answers.some((answer) => dataOf(answer)),
    failed: [...new Set(failures)],
    ...compare(isCertain ? answers : [], baseUrl.startsWith('https:')),
  };
};
