import { type AskerOptions, createAsker, Stopped } from './asker.ts';
import { chooseOrders, gotFrom, listedOrders } from './exchange.ts';
import { exceedLimit } from './limit.ts';
import { countFor, questionsFor, type Wishes } from './questions.ts';
import { createReport, type ProbeReport } from './report.ts';

export type ProbeOptions = AskerOptions & Wishes;

/**
 * Sends requests to an API, then the same requests to mocks, and reports which mocks respond like the API. The promise
 * never rejects because of the API.
 */
export const probe = async (options: ProbeOptions): Promise<ProbeReport> => {
  const { baseUrl, apiKey, clock, withRateLimit } = options;
  const asker = createAsker(options);
  const { exchanges } = asker;
  const startedAt = clock.now();
  const askAll = async (): Promise<void> => {
    for (const question of questionsFor(options)) {
      const { id } = chooseOrders(listedOrders(gotFrom(exchanges)))[question.order ?? 0] ?? {};
      if (question.order === undefined || id !== undefined)
        await asker.ask(question, question.path.replace('{id}', String(id)));
    }
    if (withRateLimit) await exceedLimit(asker, clock);
  };
  const stopped = await askAll().then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Stopped) return error.message;
      throw error;
    },
  );
  const progress = {
    baseUrl,
    questions: exchanges.length,
    maxQuestions: countFor(options),
    durationMs: clock.now() - startedAt,
    stopped,
  };
  return createReport(progress, exchanges, apiKey);
};
