import { createSettings } from '../settings/profiles.ts';
import { settingDefinitions } from '../settings/settings.ts';
import { askMock, keyLike, type MockFacts } from './ask-mock.ts';
import { type Answer, isRedirect, isWrongAddress } from './asker.ts';
import { type FactGroup, groupsFor } from './groups.ts';
import { type Got, type Group, limitQuestions, maxOrders, type Question } from './questions.ts';
import { chooseOrders, dataOf, ordersOf } from './reply.ts';
import {
  describeSettings,
  missingFrom,
  type ServiceFacts,
  type SettingResult,
  searchSettings,
  subjectOf,
} from './search.ts';
import { checkStatements, type StatementResult } from './statements.ts';

/** A difference from the service that no setting covers. */
export interface Difference {
  /** What was asked or compared. */
  where: string;
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
  /** Words of statuses, and fields that the API docs don't name. */
  seen: string[];
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
  asked: ReadonlySet<Group>;
  questions: readonly Question[];
  got: Got;
  answers: readonly Answer[];
  /** How many of the answers came before the limit was exceeded on purpose. */
  reads: number;
  /** How far the service's clock is ahead, ms. */
  offset: number;
}

type Progress = Pick<ProbeReport, 'baseUrl' | 'questions' | 'maxQuestions' | 'durationMs' | 'stopped'>;

export const createReport = (progress: Progress, evidence: Evidence): ProbeReport => {
  const { answers, got, questions } = evidence;
  const { service, unasked } = factsOfService(evidence, progress.stopped !== undefined);
  const ask = (set: Record<string, string>): MockFacts =>
    askMock(got, questions, progress.baseUrl.startsWith('https:'), createSettings('strict', set));
  // Without a list, the responses may come from another program, unless it only redirects.
  const isMoved = answers.length > 0 && answers.every(({ status }) => isRedirect(status));
  const isCertain = isMoved || answers.some((answer) => ordersOf(answer));
  const closest = isCertain ? searchSettings(ask({}), service) : undefined;
  const settings = closest ? describeSettings(closest, service, unasked) : [];
  const differing = settings.filter(({ name, value }) => value !== String(settingDefinitions[name].default));
  const set = Object.fromEntries(differing.map(({ name, value }) => [name, value]));
  return {
    ...progress,
    readable: answers.some((answer) => dataOf(answer) !== undefined),
    failed: failuresOf(answers),
    statements: checkStatements(got, limitOf(evidence)),
    settings,
    seen: [
      ...new Set(
        [...service.values()].flatMap((facts) =>
          [...facts].filter((fact) => /"|also has: [^n]|with [a-z]+,/.test(fact)),
        ),
      ),
    ].sort(),
    set,
    flags: Object.entries(set).map(([name, value]) => `--set ${name}=${value}`),
    mockKey: keyLike(got),
    // Another mock, started with the flags alone.
    notCovered: closest ? differences(ask(set), service) : [],
  };
};

/** The facts of the service by group, and the groups that an option would ask. */
const factsOfService = (evidence: Evidence, isStopped: boolean): { service: ServiceFacts; unasked: FactGroup[] } => {
  const { asked, answers, questions, got, reads } = evidence;
  const wasLimited = answers.slice(0, reads).some(({ status }) => status === 429);
  const isLimitAsked = answers.length > reads;
  const timed = isLimitAsked ? answers.slice(reads) : wasLimited ? answers : [];
  const sent = timed.map(({ question, startedAt }) => ({ question, at: startedAt + evidence.offset }));
  const service = new Map<FactGroup, ReadonlySet<string>>();
  const unasked: FactGroup[] = [];
  const chosen = chooseOrders(got, maxOrders);
  for (const group of groupsFor(questions, timed.length > 0 ? sent : busyMinutes)) {
    const isAsked = group.asks === 'rateLimit' ? timed.length > 0 : asked.has(group.asks);
    if (!isAsked) unasked.push(group);
    else if (!isStopped || group.needs.every(got))
      service.set(
        group,
        new Set(
          group.facts(
            got,
            () => chosen,
            () => timed,
          ),
        ),
      );
  }
  return { service, unasked };
};

/** Requests that exceed any usual limit, to see which settings they would show. */
const busyMinutes = Array.from({ length: 180 }, (_, n) => ({
  question: limitQuestions.burst,
  at: 30_000 + Math.max(n * 100, (n - 80) * 2_000),
}));

const limitOf = ({ answers, reads, got }: Evidence): Parameters<typeof checkStatements>[1] => {
  const timed = answers.slice(reads);
  const first = timed.findIndex(({ status }) => status === 429);
  if (!got('burst')) return undefined;
  const exceededAt = timed[first]?.startedAt ?? Number.POSITIVE_INFINITY;
  const later = timed.filter(({ startedAt }) => startedAt >= exceededAt + 60_000);
  const resets = later[0] && later[0].status !== 429;
  return { passed: first < 0 ? timed.length : first, exceeded: first >= 0, resets };
};

const differences = (mock: MockFacts, service: ServiceFacts): Difference[] =>
  [...service.keys()].flatMap((group) => {
    const missing = missingFrom(mock, service, group);
    const subjects = new Set(missing.map(subjectOf));
    const own = [...mock.of(group)].filter((fact) => subjects.has(subjectOf(fact)));
    return missing.length === 0 ? [] : [{ where: group.label, service: missing, mock: own }];
  });

/** Lists the questions without a usable response. Any response below 500 to a malformed question is usable. */
const failuresOf = (answers: readonly Answer[]): string[] => {
  const failed = answers.flatMap(({ question, status, problem, errorCode }) => {
    const isUsable = status !== 0 && status < 500 && !isWrongAddress(question, status);
    const isOdd = question.group !== 'malformed' && (problem !== undefined || isRedirect(status));
    if (isUsable && !isOdd) return [];
    const what = isRedirect(status) ? 'a redirect, which is not followed' : problem;
    const parts = [status === 0 ? undefined : `returned ${status}`, what, errorCode].filter(Boolean);
    return [`${question.label}: ${parts.join(', ')}`];
  });
  return [...new Set(failed)];
};
