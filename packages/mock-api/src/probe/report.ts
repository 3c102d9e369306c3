import { createSettings } from '../settings/profiles.ts';
import { settingDefinitions } from '../settings/settings.ts';
import { type Asked, askMocks, keyLike, over429, paidOf, shapeOfSeveral } from './ask-mocks.ts';
import { type Answer, failureOf, isRedirect } from './asker.ts';
import type { Timed } from './limit-rules.ts';
import { maxOrders, questionsFor } from './questions.ts';
import { relationsOf } from './relations.ts';
import { chooseOrders, dataOf, type Got, listedOrders, ordersOf } from './reply.ts';
import { describeSettings, type SettingResult, searchSettings } from './search.ts';
import { mergeShapes, type Shape, shapeOf } from './shape.ts';
import { createShowWord } from './shown-words.ts';

/** A statement of the API docs that only several responses show, by its number in docs/statements.md. */
export interface StatementResult {
  id: string;
  text: string;
  held: number;
  broken: number;
}

/** A difference from the service that no setting covers. */
export interface Difference {
  /** A field, a header, or what else was compared. */
  what: string;
  /** The requests or kinds of objects that differ so. */
  where: string[];
  /** How it looks there. */
  service: string[];
  mock: string[];
}

export interface ProbeReport {
  baseUrl: string;
  /** Whether any response could be read as the API docs describe it. */
  readable: boolean;
  questions: number;
  maxQuestions: number;
  durationMs: number;
  /** Why the probe ended before its last question. */
  stopped?: string | undefined;
  /** The questions without a usable response, each once. */
  failed: string[];
  statements: StatementResult[];
  settings: SettingResult[];
  /** The options that ask more. */
  notAsked: string[];
  /** The settings of the closest mock that differ from the default. */
  set: Record<string, string>;
  /** The same as flags of `order-license-mock`. */
  flags: string[];
  /** The name of the mock's API key whose account is most like this one. */
  mockKey: string;
  /** Where a mock with these flags differs from the service. Empty if it looks the same. */
  notCovered: Difference[];
}

/** What was asked, and what the service returned. */
export interface Evidence {
  answers: readonly Answer[];
  /** How many of the answers came before the limit was exceeded on purpose. */
  reads: number;
  /** How far the service's clock is ahead, ms. */
  offset: number;
  apiKey: string;
}

type Progress = Pick<ProbeReport, 'baseUrl' | 'questions' | 'maxQuestions' | 'durationMs' | 'stopped'>;

export const createReport = (progress: Progress, evidence: Evidence): ProbeReport => {
  const { answers, reads, offset } = evidence;
  const show = createShowWord(evidence.apiKey);
  const answered = answers.filter(({ question, status }) => question.group !== 'rateLimit' && status !== 429);
  const first429 = answers.filter(({ status }) => status === 429).slice(0, 1);
  const exchanges = [...answered, ...first429.map((answer) => ({ ...answer, question: over429 }))];
  const seen = new Map(exchanges.map((answer) => [answer.question.name, answer]));
  const got: Got = (name) => seen.get(name);
  const listed = listedOrders(got);
  const chosen = chooseOrders(listed, maxOrders);
  const burst = timesOf(answers.slice(reads), offset);
  const timed = burst.length > 0 || first429.length === 0 ? burst : timesOf(answers, offset);

  const service = mergeShapes([
    ...[...seen.values()].map((answer) => shapeOf(answer, paidOf(answer.question, chosen), show)),
    shapeOfSeveral(got, timed),
  ]);
  const asked: Asked = {
    questions: [...seen.values()].map(({ question }) => question),
    timed,
    got,
    listed,
    chosen,
    secure: progress.baseUrl.startsWith('https:'),
  };
  // Without a list, the responses may come from another program, unless it only redirects.
  const isMoved = answers.length > 0 && answers.every(({ status }) => isRedirect(status));
  const isCertain = isMoved || answers.some((answer) => ordersOf(answer));
  const target = { shape: service, timed, ask: askMocks(asked, show) };
  const closest = isCertain ? searchSettings(createSettings(), target) : undefined;
  const settings = closest ? describeSettings(closest, target, askMocks(unaskedOf(asked), show)) : [];
  const differing = settings.filter(({ name, value }) => value !== String(settingDefinitions[name].default));
  const set = Object.fromEntries(differing.map(({ name, value }) => [name, value]));
  const failures = answers.map((answer) => [answer.question.label, failureOf(answer)]);
  return {
    ...progress,
    readable: answers.some((answer) => dataOf(answer) !== undefined),
    failed: [...new Set(failures.flatMap(([label, why]) => (why === undefined ? [] : [`${label}: ${why}`])))],
    statements: relationsOf(got).flatMap(({ id, text, cases }) => {
      const held = cases.filter(Boolean).length;
      return id === undefined ? [] : [{ id, text, held, broken: cases.length - held }];
    }),
    settings,
    notAsked: [
      ...(seen.has('pageZero') ? [] : ['--with-malformed']),
      ...(burst.length > 0 ? [] : ['--with-rate-limit']),
    ],
    set,
    flags: Object.entries(set).map(([name, value]) => `--set ${name}=${value}`),
    mockKey: keyLike(got),
    // Another mock, started with the flags alone.
    notCovered: closest ? differences(service, askMocks(asked, show)(createSettings('strict', set))) : [],
  };
};

/** The requests that count for the limit. */
const timesOf = (answers: readonly Answer[], offset: number): Timed[] =>
  answers
    .filter(({ question, status }) => question.as === undefined && status !== 0)
    .map(({ startedAt, status }) => ({ at: startedAt + offset, rejected: status === 429 }));

/** What an option would ask, with requests that exceed any usual limit. */
const unaskedOf = (asked: Asked): Asked => {
  const names = new Set(asked.questions.map(({ name }) => name));
  const all = questionsFor({ withMalformed: true });
  const busy = Array.from({ length: 200 }, (_, n) => ({ at: n * 500, rejected: false }));
  return {
    ...asked,
    questions: [...all.filter(({ name, group }) => group === 'malformed' && !names.has(name)), over429],
    timed: asked.timed.length === 0 ? busy : [],
  };
};

const differences = (service: Shape, mock: Shape): Difference[] => {
  const found = new Map<string, Difference>();
  for (const [key, { where, what, forms }] of service) {
    const own = mock.get(key)?.forms ?? new Set();
    if ([...forms].every((form) => own.has(form))) continue;
    const difference = { what, service: [...forms].sort(), mock: [...own].sort() };
    const alike = JSON.stringify(difference);
    found.set(alike, { ...difference, where: [...(found.get(alike)?.where ?? []), where] });
  }
  return [...found.values()];
};
