import { type AskerOptions, createAsker } from './asker.ts';
import { maxOrders, pathOf, planFor, questionsFor, type Wishes } from './questions.ts';
import { exceedLimit } from './rate-limit.ts';
import { chooseOrders, type Got, listedOrders } from './reply.ts';
import { createReport, type ProbeReport } from './report.ts';

export type ProbeOptions = AskerOptions & Wishes;

/** Asks a service, then asks mocks the same, and reports whose responses look alike. Never rejects because of the service. */
export const probe = async (options: ProbeOptions): Promise<ProbeReport> => {
  const { baseUrl, apiKey, clock, withRateLimit } = options;
  const maxQuestions = planFor(options).reduce((sum, { max }) => sum + max, 0);
  const asker = createAsker(options);
  const { answers, stop, stopped } = asker;
  const startedAt = clock.now();
  const got: Got = (name) => answers.findLast(({ question, status }) => question.name === name && status !== 429);
  for (const question of questionsFor(options)) {
    const path = pathOf(question, got, (n) => chooseOrders(listedOrders(got), maxOrders)[n]?.id);
    const answer = path === undefined ? undefined : await asker.ask(question, path);
    if (question.name !== 'me') continue;
    if (answer?.status === 401) stop('GET /me returned 401: the API rejects the key. Check ORDER_LICENSE_API_KEY.');
    if (answer?.status === 403) stop('GET /me returned 403: only accounts with a company or VAT ID may use the API.');
  }
  const reads = answers.length;
  const last = answers.at(-1);
  const ahead = Date.parse(last?.headers.date ?? '') - (last?.startedAt ?? 0);
  // The Date header has a resolution of 1 s.
  const offset = Math.abs(ahead) > 1_500 ? ahead : 0;
  if (withRateLimit && !stopped()) await exceedLimit(asker, clock, offset);
  const progress = {
    baseUrl,
    questions: answers.length,
    maxQuestions,
    durationMs: clock.now() - startedAt,
    ...(stopped() === undefined ? {} : { stopped: stopped() }),
  };
  return createReport(progress, { answers, reads, offset, apiKey });
};
