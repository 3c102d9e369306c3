import { faultKinds } from '@order-license/mock-api';
import { type FaultCase, type StrikeName, strikeNames } from './fault-cases.ts';
import type { Outcome, Subject } from './subject.ts';

/** The outcomes of one subject for every case. */
export type Outcomes = ReadonlyMap<FaultCase, Record<StrikeName, Outcome>>;

/** Writes the text of docs/reliability.md from the results of a complete run. */
export const reliabilityPage = (results: ReadonlyMap<Subject, Outcomes>): string =>
  [...head, ...[...results].flatMap(([subject, outcomes]) => section(subject, outcomes))].join('\n');

const head = [
  '# Reliability',
  '',
  'How each part behaves when the API or the network fails: every fault of the mock, once and repeatedly, at the start and in the middle of longer work. `./dev docs` writes this page from a run of `tests/faults/faults.test.ts`. The run fails if a call hangs, an order is lost or returned twice, an error is not one of the named ones, or an API key shows up anywhere.',
  '',
  'The faults:',
  '',
  '| fault | what the API does |',
  '|---|---|',
  ...Object.entries(faultKinds).map(([kind, { about }]) => `| ${kind} | ${about} |`),
  '',
  "“Answered” means that the result is correct, as if nothing had happened. A name such as `bad_request` is the error code. The last column has the error's message, without the API's own message, which would follow with the API key removed.",
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
