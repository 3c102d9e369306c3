import { dataOf, ordersOf } from './answer.ts';
import { type AskOptions, askAll, failureOf } from './ask.ts';
import { factsIn } from './facts.ts';
import { type Findings, findingsIn } from './findings.ts';
import { countFor, questionsFor, type Wishes } from './questions.ts';

export type ProbeOptions = AskOptions & Wishes;

export interface ProbeReport extends Findings {
  baseUrl: string;
  /** Number of requests that were sent. */
  questions: number;
  maxQuestions: number;
  durationMs: number;
  /** Why the probe ended early; absent if it sent every question. */
  stopped?: string;
  /** Number of 429s. Other programs with the same key can cause them. */
  rejected: number;
  /** Whether any response could be read as the API docs describe it. */
  readable: boolean;
  /** The questions without a usable response, without duplicates. */
  failed: string[];
}

/** Puts questions to an API, and finds the mock's settings that give the same answers. Never rejects because of the API. */
export const probe = async (options: ProbeOptions): Promise<ProbeReport> => {
  const { baseUrl, apiKey, clock } = options;
  const startedAt = clock.now();
  const { answers, ...end } = await askAll(options, questionsFor(options));
  // If no list was read, the responses may come from a program other than the API, unless it redirects to HTTPS.
  const isApi = answers.some(ordersOf);
  const certain = answers.filter(({ status }) => isApi || (status >= 300 && status < 400));
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
    rejected: answers.filter(({ status }) => status === 429).length,
    readable: answers.some(dataOf),
    failed: [...new Set(failures)],
    ...findingsIn(factsIn(certain, baseUrl)),
  };
};
