import { type SettingName, settingDefinitions } from '../settings/settings.ts';
import { isRefusedRead } from './ask/asker.ts';
import { type Group, isRead, labelOf, maxQuestions } from './ask/questions.ts';
import { dataOf, type Evidence, listAnswers, ordersOf } from './evidence.ts';
import type { SettingValues } from './finding.ts';
import { points } from './points/points.ts';
import { checkStatements, type StatementResult } from './statements/statements.ts';
import { unobservable } from './unobservable.ts';

/** One open point in a report. */
export interface PointResult {
  id: string;
  title: string;
  /** `notAsked` needs a flag; `notSeen` depends on the account; `never` isn't visible from outside. */
  state: 'seen' | 'notSeen' | 'notAsked' | 'never';
  /** What was observed, or why nothing was. */
  text: string;
  /** The equivalent mock settings, including defaults. */
  settings: SettingValues;
}

export interface ProbeReport {
  baseUrl: string;
  /** Whether any answer could be read as the API docs describe it. */
  readable: boolean;
  /** Whether a list of orders was read. Without one, no flags are derived from other answers. */
  listed: boolean;
  questions: number;
  maxQuestions: number;
  durationMs: number;
  /** Why the probe ended before its last question. */
  stopped?: string;
  /** The questions without a usable answer, each once. */
  failed: string[];
  statements: StatementResult[];
  points: PointResult[];
  /** The settings that differ from the mock's default. */
  set: SettingValues;
  /** The same as flags of `order-license-mock`. */
  flags: string[];
  /** The settings that no probe recognises. */
  unobservable: typeof unobservable;
}

const flagFor: Record<Group, string> = { reads: '', malformed: '--with-malformed', rateLimit: '--with-rate-limit' };

export const createReport = (evidence: Evidence, stopped: string | undefined, durationMs: number): ProbeReport => {
  const readable = evidence.answers.some((answer) => dataOf(answer) !== undefined);
  // Without a list, the answers may come from another program. Only a redirect to HTTPS is certain.
  const listed = listAnswers(evidence).some((answer) => ordersOf(answer));
  const certain = ({ httpsOnly, ...rest }: SettingValues = {}): SettingValues => ({
    ...(listed && rest),
    ...(httpsOnly !== undefined && { httpsOnly }),
  });
  const results = points.map(({ id, title, needs, read }): PointResult => {
    if (needs !== 'never' && !evidence.groups.has(needs)) {
      return { id, title, state: 'notAsked', text: `asked with ${flagFor[needs]}`, settings: {} };
    }
    const finding = read(evidence);
    if ('seen' in finding)
      return { id, title, state: 'seen', text: finding.seen, settings: known(certain(finding.set)) };
    return { id, title, state: needs === 'never' ? 'never' : 'notSeen', text: finding.unseen, settings: {} };
  });
  const set = differing(results);
  return {
    baseUrl: evidence.baseUrl,
    readable,
    listed,
    questions: evidence.answers.length,
    maxQuestions: maxQuestions(evidence.groups),
    durationMs,
    ...(stopped === undefined ? {} : { stopped }),
    failed: failuresOf(evidence),
    statements: checkStatements(evidence),
    points: results,
    set,
    flags: Object.entries(set).map(([name, value]) => `--set ${name}=${value}`),
    unobservable,
  };
};

/** The observed settings that the mock has. */
const known = (settings: SettingValues): SettingValues =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => Object.hasOwn(settingDefinitions, name)));

/** Lists the questions without a usable answer. Any answer below 500 to a malformed question is usable. */
const failuresOf = ({ answers }: Evidence): string[] => {
  const failed = answers.flatMap(({ question: { name }, status, problem, errorCode }) => {
    const isMoved = status >= 300 && status < 400 && status !== 304;
    if (
      status !== 0 &&
      status < 500 &&
      !isRefusedRead(name, status) &&
      !(isRead(name) && (problem !== undefined || isMoved))
    )
      return [];
    const what = isMoved ? 'a redirect, which is not followed' : problem;
    const parts = [status === 0 ? undefined : `answered ${status}`, what, errorCode].filter(
      (part) => part !== undefined,
    );
    return [`${labelOf(name)}: ${parts.join(', ')}`];
  });
  return [...new Set(failed)];
};

/** Leaves out a setting for which two points found different values. */
const differing = (results: readonly PointResult[]): SettingValues => {
  const found = new Map<SettingName, Set<string>>();
  for (const { settings } of results) {
    for (const [name, value] of Object.entries(settings) as [SettingName, string][]) {
      found.set(name, (found.get(name) ?? new Set()).add(value));
    }
  }
  const set: SettingValues = {};
  for (const name of Object.keys(settingDefinitions) as SettingName[]) {
    const [value, ...others] = found.get(name) ?? [];
    if (value === undefined || others.length > 0 || value === String(settingDefinitions[name].default)) continue;
    set[name] = value;
  }
  return set;
};
