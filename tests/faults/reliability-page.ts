import { isDeepStrictEqual } from 'node:util';
import { type FaultCase, type StrikeName, strikeNames } from './fault-cases.ts';
import type { Subject } from './subject.ts';

/** The outcomes of one subject for every case. */
export type Outcomes = ReadonlyMap<FaultCase, Record<StrikeName, string>>;

/**
 * Writes the text of docs/reliability.md from the results of a complete run: faults with the same outcomes share a row. A
 * subject that mostly behaves like the first one has only the rows that differ.
 */
export const reliabilityPage = (results: ReadonlyMap<Subject, Outcomes>): string => {
  const [[first, known] = []] = results;
  const sections = [...results].flatMap(([{ title, about, columns }, outcomes], index) => {
    const own = new Map(
      [...outcomes].filter(([one, byStrike]) => index === 0 || !isDeepStrictEqual(byStrike, known?.get(one))),
    );
    if (own.size > outcomes.size / 2) return [`## ${title}`, '', about, '', tableOf(columns, outcomes), ''];
    const reference = `As for “${first?.title}”${own.size > 0 ? ', except:' : '.'}`;
    return [`## ${title}`, '', about, '', reference, ...(own.size > 0 ? ['', tableOf(columns, own)] : []), ''];
  });
  return [...head, ...sections].join('\n');
};

const head = [
  '# Reliability',
  '',
  'What each part of the kit does when the API or the network fails. `./dev docs` writes this page from a run of `tests/faults`: every fault of the mock (`order-license-mock --help` lists them) and odd responses, once and at every request, at the start and in the middle of longer work. The run fails if a call hangs, an order is lost or returned twice, an error has no documented code, or an API key appears anywhere.',
  '',
  '“ok” means that the result is correct, as if nothing had happened. A name such as `bad_request` is the code of the error.',
  '',
];

const tableOf = (columns: Subject['columns'], outcomes: Outcomes): string => {
  const rows = Map.groupBy(outcomes, ([, byStrike]) => strikeNames.map((name) => byStrike[name]).join(' | '));
  return [
    `| fault | ${strikeNames.map((name) => columns[name]).join(' | ')} |`,
    `|---|${'---|'.repeat(strikeNames.length)}`,
    ...Array.from(rows, ([texts, cases]) => `| ${labelsOf(cases.map(([one]) => one))} | ${texts} |`),
  ].join('\n');
};

/** Lists the cases; the variants of one fault follow its name, such as `html 401 403`. */
const labelsOf = (cases: readonly FaultCase[]): string => {
  const byKind = Map.groupBy(cases, ({ label }) => label.split(' ')[0] ?? '');
  return Array.from(byKind, ([kind, same]) =>
    [kind, ...same.map(({ label }) => label.slice(kind.length + 1))].filter(Boolean).join(' '),
  ).join(', ');
};
