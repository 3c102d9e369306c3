import { faultKinds } from '@order-license/mock-api';
import { type FaultCase, type StrikeName, strikeNames } from './fault-cases.ts';
import type { Outcome, Subject } from './subject.ts';

/** What came of every case, for one subject. */
export type Outcomes = ReadonlyMap<FaultCase, Record<StrikeName, Outcome>>;

/** docs/reliability.md as a whole run has shown it. */
export const reliabilityPage = (results: ReadonlyMap<Subject, Outcomes>): string =>
  [...head, ...[...results].flatMap(([subject, outcomes]) => section(subject, outcomes))].join('\n');

const head = [
  '# Reliability',
  '',
  'What each part does when the service or the network fails: every fault of the mock, once and again and again, at the start and in the middle of longer work. Written by `./dev docs` from a run of `tests/faults/faults.test.ts`, which fails when something hangs, an order is lost or given twice, an error is not one of the named ones, or an API key shows up anywhere.',
  '',
  'The faults:',
  '',
  '| fault | what the service does |',
  '|---|---|',
  ...Object.entries(faultKinds).map(([kind, { about }]) => `| ${kind} | ${about} |`),
  '',
  '“Answered” is the right answer, as if nothing had happened. In `code` is the kind of the error; what it says is given in the last column, for the fault that does not go away. No word of the service is in these texts; where it has some, they follow, with the API key taken out.',
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
