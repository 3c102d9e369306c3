import { type Answer, type Asker, createAsker, type ProbeClock } from './asker.ts';
import { type Got, type Group, maxOrders, pathOf, planFor, type Question, questionsFor } from './questions.ts';
import { exceedLimit } from './rate-limit.ts';
import { chooseOrders } from './reply.ts';
import { createReport, type ProbeReport } from './report.ts';

export interface ProbeOptions {
  /** As `readAddress` returned it. */
  baseUrl: string;
  /** As `readApiKey` returned it. */
  apiKey: string;
  withMalformed: boolean;
  withRateLimit: boolean;
  /** ID of an order of another account. */
  otherOrder?: string | undefined;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  clock: ProbeClock;
  /** Ends the probe with a partial report. */
  signal?: AbortSignal | undefined;
  /** Timeout for one response with its body, ms. Default: 15000. */
  timeoutMs?: number;
  onAnswer?: ((answer: Answer, count: number) => void) | undefined;
  /** Called before each wait of more than 5 s. */
  onWait?: ((ms: number) => void) | undefined;
}

/** Returns the groups to ask. */
export const groupsToAsk = (asked: Pick<ProbeOptions, 'withMalformed' | 'withRateLimit'>): ReadonlySet<Group> =>
  new Set<Group>([
    'reads',
    ...(asked.withMalformed ? ['malformed' as const] : []),
    ...(asked.withRateLimit ? ['rateLimit' as const] : []),
  ]);

/** Asks a service, then asks mocks the same, and reports whose responses look alike. Never rejects because of the service. */
export const probe = async (options: ProbeOptions): Promise<ProbeReport> => {
  const { otherOrder, timeoutMs = 15_000 } = options;
  const asked = groupsToAsk(options);
  const questions = questionsFor(otherOrder);
  const maxQuestions = planFor(asked, questions).reduce((sum, { max }) => sum + max, 0);
  const asker = createAsker({ ...options, timeoutMs, maxQuestions });
  const startedAt = asker.now();
  const got: Got = (name) => asker.answers.findLast(({ question, status }) => question.name === name && status !== 429);
  await askAll(
    asker,
    questions.filter(({ group }) => asked.has(group)),
    got,
  );
  const before = asker.answers.length;
  const offset = clockOffset(asker);
  if (asked.has('rateLimit') && !asker.stopped()) await exceedLimit(asker, offset);
  const result = {
    baseUrl: options.baseUrl,
    questions: asker.answers.length,
    maxQuestions,
    durationMs: asker.now() - startedAt,
    ...(asker.stopped() === undefined ? {} : { stopped: asker.stopped() }),
  };
  return createReport(result, { asked, questions, got, answers: asker.answers, reads: before, offset });
};

const askAll = async (asker: Asker, questions: readonly Question[], got: Got): Promise<void> => {
  for (const question of questions) {
    const path = pathOf(question, got, () => chooseOrders(got, maxOrders));
    const answer = path === undefined ? undefined : await asker.ask(question, path);
    if (question.name !== 'me') continue;
    if (answer?.status === 401)
      asker.stop('GET /me returned 401: the service does not accept the key. Check ORDER_LICENSE_API_KEY.');
    if (answer?.status === 403)
      asker.stop('GET /me returned 403: only accounts with a company or VAT ID may use the service.');
  }
};

/** Returns how far the service's clock is ahead, in ms, from its Date header; 0 without one. */
const clockOffset = ({ answers }: Asker): number => {
  const last = answers.at(-1);
  const offset = Date.parse(last?.headers.date ?? '') - (last?.startedAt ?? 0);
  // The header has a resolution of 1 s.
  return Math.abs(offset) > 1_500 ? offset : 0;
};
