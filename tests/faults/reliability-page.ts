import { faultKinds } from '@order-license/mock-api';
import { type FaultCase, type StrikeName, strikeNames } from './fault-cases.ts';
import type { Outcome, Subject } from './subject.ts';

/** The outcome of every case, for one subject. */
export type Outcomes = ReadonlyMap<FaultCase, Record<StrikeName, Outcome>>;

/** docs/reliability.md for the results of a complete run. */
export const reliabilityPage = (results: ReadonlyMap<Subject, Outcomes>): string =>
  [...head, ...[...results].flatMap(([subject, outcomes]) => section(subject, outcomes))].join('\n');

const head = [
  '# Reliability',
  '',
  'How each part behaves when the service or the network fails: every fault of the mock, once and repeatedly, at the start and in the middle of longer work. Written by `./dev docs` from a run of `tests/faults/faults.test.ts`, which fails if something hangs, an order is lost or returned twice, an error is not one of the named ones, or an API key shows up anywhere.',
  '',
  'The faults:',
  '',
  '| fault | what the service does |',
  '|---|---|',
  ...Object.entries(faultKinds).map(([kind, { about }]) => `| ${kind} | ${about} |`),
  '',
  "“Answered” is the right answer, as if nothing had happened. `code` is the error code; the last column has the message for the fault that persists, without the service's own message, which would follow with the API key removed.",
  '',
];

const section = ({ title, about, columns }: Subject, outcomes: Outcomes): string[] => [
  `## ${title}`,
  '',
  about,
  '',
  `| fault | ${strikeNames.map((name) => columns[name]).join(' | ')} | the error says |`,
  `|---|${'---|'.repeat(strikeNames.length)}---|`,
  ...Array.from(outcomes, ([{ label }, byStrike]) => {
    const words = strikeNames.map((name) => byStrike[name].words).filter((text) => text !== undefined);
    return `| ${label} | ${strikeNames.map((name) => byStrike[name].text).join(' | ')} | ${words[0] ?? ''} |`;
  }),
  '',
];
