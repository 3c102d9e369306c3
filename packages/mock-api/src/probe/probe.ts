import { type AskOptions, askAll, failureOf } from './ask.ts';
import { type Comparison, compare } from './compare.ts';
import { dataOf, gotFrom, ordersOf } from './exchange.ts';
import { countFor, questionsFor, type Wishes } from './questions.ts';
import { createShowWord } from './shown-words.ts';
import { checkStatements, type StatementResult } from './statements.ts';

export type ProbeOptions = AskOptions & Wishes;

export interface ProbeReport extends Comparison {
  baseUrl: string;
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
  /** The statements of the API docs that take several responses to check. */
  statements: StatementResult[];
}

/** Puts the same questions to an API and to mocks, and compares the responses. Never rejects because of the API. */
export const probe = async (options: ProbeOptions): Promise<ProbeReport> => {
  const { baseUrl, apiKey, clock } = options;
  const startedAt = clock.now();
  const { exchanges, stopped } = await askAll(options, questionsFor(options));
  const durationMs = clock.now() - startedAt;
  // If no list was read, the responses may come from a program other than the API, unless all of them are redirects.
  const isMoved = exchanges.length > 0 && exchanges.every(({ status }) => status >= 300 && status < 400);
  const isCertain = isMoved || exchanges.some((exchange) => ordersOf(exchange));
  const nothing: Comparison = { points: [], notShown: [], set: {}, differences: [] };
  const comparison = isCertain
    ? await compare(exchanges, baseUrl.startsWith('https:'), createShowWord(apiKey))
    : nothing;
  const failures = exchanges.flatMap((exchange) => {
    const why = failureOf(exchange);
    return why === undefined ? [] : [`${exchange.question.label}: ${why}`];
  });
  return {
    baseUrl: baseUrl.replaceAll(apiKey, '***'),
    questions: exchanges.length,
    maxQuestions: countFor(options),
    durationMs,
    ...(stopped !== undefined && { stopped }),
    rejected: exchanges.filter(({ question, status }) => status === 429 && question.group !== 'rateLimit').length,
    readable: exchanges.some((exchange) => dataOf(exchange)),
    failed: [...new Set(failures)],
    statements: checkStatements(gotFrom(exchanges)).filter(({ id }) => id !== undefined),
    ...comparison,
  };
};
