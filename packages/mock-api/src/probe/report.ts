import { createSettings } from '../settings/profiles.ts';
import { settingDefinitions } from '../settings/settings.ts';
import { askMocks, keyLike, over429 } from './ask-mocks.ts';
import { failureOf, isRedirect } from './asker.ts';
import { chooseOrders, dataOf, type Exchange, gotFrom, isOverLimit, listedOrders, ordersOf } from './exchange.ts';
import { allFacts, type Facts, factsOf, formsAt, hint, placeOf } from './facts.ts';
import { timesOf } from './limit.ts';
import { limitQuestion } from './questions.ts';
import { type SettingResult, searchSettings } from './search.ts';
import { createShowWord } from './shown-words.ts';
import { checkStatements, type StatementResult } from './statements.ts';

/** A difference from the API that no setting covers. */
export interface Difference {
  /** The compared property: a field, a header, or a statement about several responses. */
  what: string;
  /** The requests or kinds of objects with this difference. */
  where: string[];
  /** The formats of `what` in the API's responses at `where`. */
  service: string[];
  mock: string[];
}

/** The probe's target, number of requests and duration, and why it ended early. */
export interface Progress {
  baseUrl: string;
  questions: number;
  maxQuestions: number;
  durationMs: number;
  /** Why the probe ended early; `undefined` if it sent every question. */
  stopped: string | undefined;
}

export interface ProbeReport extends Progress {
  /** Number of 429s before the probe tried to exceed the limit. Other programs with the same key can cause them. */
  rejected: number;
  /** Whether any response could be read as the API docs describe it. */
  readable: boolean;
  /** The questions without a usable response, without duplicates. */
  failed: string[];
  /** The statements of the API docs that take several responses to check. */
  statements: StatementResult[];
  settings: SettingResult[];
  /** The closest mock's settings, without those that have their default values. */
  set: Record<string, string>;
  /** The same settings as flags of `order-license-mock`. */
  flags: string[];
  /** The name of the mock's API key whose account is most similar to the probed one. */
  mockKey: string;
  /** The differences between a mock with these flags and the API. Empty if there are none. */
  notCovered: Difference[];
}

/**
 * Compares an API with mocks.
 * @param apiKey the probe's API key; no report contains it
 */
export const createReport = (progress: Progress, exchanges: readonly Exchange[], apiKey: string): ProbeReport => {
  const got = gotFrom(exchanges);
  const listed = listedOrders(got);
  const chosen = chooseOrders(listed);
  const timed = timesOf(exchanges);
  const show = createShowWord(apiKey);
  const compared = exchanges.filter(({ question, status }) => question.group !== 'rateLimit' && status !== 429);
  const rejection = exchanges.find(isOverLimit);
  if (rejection) compared.push({ ...rejection, question: over429 });
  const single = compared.map((exchange) => ({ exchange, facts: factsOf(exchange, chosen, show) }));
  const service = allFacts(single, timed);

  // If no list was read, the responses may come from a program other than the API, unless all of them are redirects.
  const isMoved = exchanges.length > 0 && exchanges.every(({ status }) => isRedirect(status));
  const isCertain = isMoved || exchanges.some((exchange) => ordersOf(exchange));
  const secure = progress.baseUrl.startsWith('https:');
  const ask = askMocks({ exchanges: compared, listed, chosen, timed, secure, show });
  const settings = isCertain ? searchSettings(service, timed, ask) : [];
  const set = Object.fromEntries(
    settings
      .filter(({ name, value }) => value !== String(settingDefinitions[name].default))
      .map(({ name, value }) => [name, value]),
  );
  const failures = exchanges.flatMap((exchange) => {
    const why = failureOf(exchange);
    return why === undefined ? [] : [`${exchange.question.label}: ${why}`];
  });
  return {
    ...progress,
    rejected: exchanges.filter(({ question, status }) => status === 429 && question !== limitQuestion).length,
    readable: exchanges.some((exchange) => dataOf(exchange)),
    failed: [...new Set(failures)],
    statements: checkStatements(got).filter(({ id }) => id !== undefined),
    settings,
    set,
    flags: Object.entries(set).map(([name, value]) => `--set ${name}=${value}`),
    mockKey: keyLike(exchanges),
    // A mock that has only these flags, as a user would start it.
    notCovered: isCertain ? differences(service, ask(createSettings('strict', set))) : [],
  };
};

const differences = (service: Facts, mock: Facts): Difference[] => {
  const found = new Map<string, Difference>();
  for (const place of new Set([...service].filter((fact) => !mock.has(fact)).map(placeOf))) {
    const [what = '', where = ''] = place.split('\n');
    if (where.startsWith(hint)) continue;
    const difference = { what, service: formsAt(service, place), mock: formsAt(mock, place) };
    const alike = JSON.stringify(difference);
    found.set(alike, { ...difference, where: [...(found.get(alike)?.where ?? []), where] });
  }
  return [...found.values()];
};
