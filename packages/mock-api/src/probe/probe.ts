import { type AskOptions, askAll, failureOf } from './ask.ts';
import { factsIn } from './facts.ts';
import { findingsIn } from './findings.ts';
import { questionsFor, type Wishes } from './questions.ts';

export type ProbeOptions = AskOptions & Wishes;
export type ProbeReport = Awaited<ReturnType<typeof probe>>;

/**
 * Asks an API, and finds the settings with which the mock responds the same way. Never rejects, whatever the API
 * returns.
 */
export const probe = async (options: ProbeOptions) => {
  const { baseUrl, apiKey } = options;
  const { answers, ...end } = await askAll(options, questionsFor(options));
  // If no list was read, the responses may come from a program other than the API, unless it redirects to HTTPS.
  const isApi = answers.some(({ orders }) => orders);
  const certain = answers.filter(({ status }) => isApi || (status >= 300 && status < 400));
  const failed = answers.filter(failureOf).map((answer) => `${answer.question.label}: ${failureOf(answer)}`);
  return {
    baseUrl: baseUrl.replaceAll(apiKey, '***'),
    /** Number of requests that were sent. */
    requests: answers.length,
    ...end,
    /** Whether any response could be read as the API docs describe it. */
    readable: answers.some(({ data }) => data),
    /** The questions without a usable response, without duplicates. */
    failed: [...new Set(failed)],
    ...findingsIn(factsIn(certain, baseUrl)),
  };
};
