import { type Answer, createAsker, type ProbeClock } from './ask/asker.ts';
import { askMalformed } from './ask/malformed.ts';
import { groupsOf, maxQuestions } from './ask/questions.ts';
import { askRateLimit } from './ask/rate-limit.ts';
import { askReads } from './ask/reads.ts';
import type { Evidence } from './evidence.ts';
import { createReport, type ProbeReport } from './report.ts';

export interface ProbeOptions {
  /** As `readAddress` returned it. */
  baseUrl: string;
  /** As `readApiKey` returned it. */
  apiKey: string;
  withMalformed: boolean;
  withRateLimit: boolean;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  clock: ProbeClock;
  /** Ends the probe with a partial report. */
  signal?: AbortSignal | undefined;
  /** Timeout for one answer with its body, ms. Default: 15000. */
  timeoutMs?: number;
  onAnswer?: ((answer: Answer, count: number) => void) | undefined;
  /** Called before each wait of more than 5 s. */
  onWait?: ((ms: number) => void) | undefined;
}

/** Asks a service and reports how it treats the open points. Never rejects because of the service. */
export const probe = async (options: ProbeOptions): Promise<ProbeReport> => {
  const { withMalformed, withRateLimit, timeoutMs = 15_000 } = options;
  const groups = groupsOf(withMalformed, withRateLimit);
  const asker = createAsker({ ...options, timeoutMs, maxQuestions: maxQuestions(groups) });
  const evidence: Evidence = { baseUrl: options.baseUrl, groups, answers: asker.answers };
  const startedAt = asker.now();
  const listed = await askReads(asker);
  if (withMalformed) await askMalformed(asker, listed);
  if (withRateLimit) evidence.limit = await askRateLimit(asker, withMalformed);
  return createReport(evidence, asker.stopped(), asker.now() - startedAt);
};
