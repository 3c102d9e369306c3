// pnpm bench [name …]: runs every benchmark, or those named, and writes their parts of docs/benchmarks.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { drawCharts } from './charts.ts';

interface Bench {
  name: string;
  title: string;
  /** What is measured, and what a figure means. */
  about: string;
  /** Prints a Markdown table. */
  script: string;
  args?: string[];
}

const benches: Bench[] = [
  {
    name: 'pacing',
    title: 'Pacing: one process',
    about:
      'Time / theoretical minimum, and the number of 429s (mean of three seeds), for seven definitions of "60 per minute". Virtual time, real 60 s windows, 40 to 120 ms to the service and 30 to 90 ms back, 300 ms for a new connection. Each library waits 60 s after a 429 and retries, as the API docs advise; "never ends": the refused requests themselves extend the lockout.',
    script: 'bench/pacing/pacing.ts',
  },
  {
    name: 'real-time',
    title: 'Pacing: real minutes',
    about: 'The client over HTTP against the mock, in real time.',
    script: 'bench/pacing/real-time.ts',
  },
  {
    name: 'many-clients',
    title: 'Pacing: a thousand clients of one key',
    about: 'In one process, in virtual time.',
    script: 'bench/pacing/many-clients.ts',
  },
  {
    name: 'many-waiting',
    title: 'Pacing: thousands of waiting calls and keys',
    about:
      'CPU per call, and the longest turn of the event loop (time or CPU time of the process, whichever is less). Calls come 50 at a time; with one signal all are aborted in the same moment. Garbage collection is included and makes the longest turns, since V8 copies all that waits whenever its young generation is full: a waiting call holds about 0.8 kB, a signal of its own 0.4 kB more. Bare promises are the same without the client: a function that waits until its signal aborts.',
    script: 'bench/pacing/many-waiting.ts',
  },
  {
    name: 'shared-stores',
    title: 'Pacing: four processes',
    about: 'Four processes on one key, sharing a store.',
    script: 'bench/shared/shared-stores.ts',
  },
  {
    name: 'shared-stores-minutes',
    title: 'Pacing: four processes, real minutes',
    about: 'The same with the real window of 60 s: 45 requests from each process.',
    script: 'bench/shared/shared-stores.ts',
    args: ['minutes'],
  },
  {
    name: 'shares',
    title: 'Pacing: people during an export',
    about:
      'How long an interactive call takes, three real minutes long, while thousands of bulk calls on the same key wait their turn; over HTTP against the mock.',
    script: 'bench/shared/shares.ts',
  },
  {
    name: 'windows',
    title: 'What the window models forgive',
    about: 'Requests refused of 300, by how a client paces itself.',
    script: 'packages/mock-api/bench/windows.ts',
  },
  {
    name: 'client-cpu',
    title: 'Client: CPU per call',
    about: 'CPU of the client process for one page of 50 orders, medians of interleaved rounds.',
    script: 'bench/client/client-cpu.ts',
  },
  {
    name: 'import-time',
    title: 'Client: import',
    about: 'Import of the built package in a new process: the fastest of 21 interleaved rounds.',
    script: 'bench/client/import-time.ts',
  },
  {
    name: 'walk-memory',
    title: 'Client: memory of a long walk',
    about: 'Growth of the resident set over a walk; most of it is garbage that the engine has not collected yet.',
    script: 'bench/client/walk-memory.ts',
  },
  {
    name: 'seek',
    title: 'Client: an order by number or date',
    about:
      'List requests in 100,000 orders (2,000 pages of 50), for `findOrder` and for the search of `createdBefore` before its first page. Each search is new and has read nothing before. The orders of the mock are spread evenly, so the lists with campaign days are models in this process: weekends with few orders, holidays with none, one day in fifty a campaign, gaps in the numbers, a new sequence each year, and an order arriving with every request. "Page by page" is computed from the place of the order. The second table is a run over many numbers, in which one finder shares what it read.',
    script: 'bench/client/seek.ts',
  },
  {
    name: 'n8n-shares',
    title: 'n8n: days of one key',
    about:
      'The built pack in virtual time against the mock and its limit of 60 per minute: one n8n process, triggers that poll once a minute at a second of their own, someone in the editor every 2 to 10 minutes, an export of 300 orders with details every 45 to 135 minutes, 12 new orders an hour, 150 pending. Delays are median / 95th percentile in seconds from the event at the service to the start of the workflow, without the time in which the service or n8n was down. Lost: events that a trigger owed and never emitted. After a crash a repeat under the same `eventId` is right and not counted as repeated.',
    script: 'bench/n8n/shares.ts',
  },
  {
    name: 'n8n-month',
    title: 'n8n: 25,000 paid orders',
    about:
      'The same for one trigger (*Status Changed* and *License Codes Available*) alone on its key, and two new orders an hour. It reads the whole list once in about four hours.',
    script: 'bench/n8n/month.ts',
  },
  {
    name: 'n8n-real',
    title: 'n8n: fifteen real minutes of one key',
    about:
      'A real n8n 2.41.1 on loopback against the mock with 3,000 orders, 150 of them pending, and 60 new orders an hour: two triggers (new orders and status changes; paid or completed and license codes), exports of 150 orders with details, and *From List* through n8n’s REST API every 5 to 25 seconds while n8n is up. One trigger is published again while it polls, n8n is killed with SIGKILL as it emits, and it is restarted.',
    script: 'bench/n8n/real.ts',
  },
  {
    name: 'mock',
    title: 'Mock: Prism and json-server',
    about: 'The same page of 20 orders from each; CPU of the server process.',
    script: 'packages/mock-api/bench/compare.ts',
  },
  {
    name: 'n8n-totals',
    title: 'n8n: totals of a month three years back',
    about:
      'Out of 100,000 orders, in n8n 2.41 over HTTP against the mock, with the limit of 60 requests a minute. The node searches the list for the end of the month and reads the month, 50 orders a request; counts and sums are checked against the list read page by page. The HTTP Request node with its pagination meets the limit after 3,000 orders and ends in success, without an order of the month.',
    script: 'bench/n8n/totals.ts',
  },
  {
    name: 'questions',
    title: 'MCP server: twelve questions',
    about:
      'What an assistant spends on the exact answer: calls of tools, requests to the service (60 a minute are allowed), and tokens of arguments and answers. Before: page by page and order by order, as without searches; now: with dates, `summary`, `ids` and numbers. The small shop has 1,218 orders with a busy day, the large one 100,000. The answers are compared with the state of the mock in `tests/questions`.',
    script: 'bench/questions.ts',
  },
  {
    name: 'cold-start',
    title: 'MCP server: cold start',
    about:
      "From spawn to the answer to `initialize`, and the most memory up to the answer to `tools/list`, compared with a bare `node -e 0` and other servers, one of them a vendor's.",
    script: 'packages/mcp-server/bench/cold-start.ts',
  },
];

const root = fileURLToPath(new URL('..', import.meta.url));

const run = async ({ script, args = [] }: Bench): Promise<string> => {
  const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
    process.stdout.write(chunk);
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${script} ended with code ${code}.`);
  return output.trim();
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !benches.some((bench) => bench.name === name));
if (unknown) {
  console.error(`There is no bench "${unknown}"; there are ${benches.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const processor = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
const measured = `Measured ${new Date().toISOString().slice(0, 10)}: Node ${process.version}, ${processor}, ${process.platform}.`;
const fresh = new Map<string, string>();
for (const bench of benches.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  console.log(`\n${bench.title}\n`);
  fresh.set(bench.title, [`## ${bench.title}`, bench.about, await run(bench), measured].join('\n\n'));
}

const page = new URL('../docs/benchmarks.md', import.meta.url);
const parts = (existsSync(page) ? readFileSync(page, 'utf8') : '').split(/^(?=## )/m);
const known = ({ title }: Bench) => parts.find((part) => part.startsWith(`## ${title}\n`))?.trim();
const head =
  '# Benchmarks\n\nWritten by `./dev bench`, all of it or the parts that are named. Ratios within one run carry over to other machines; absolute times don’t.';
const sections = benches.flatMap((bench) => fresh.get(bench.title) ?? known(bench) ?? []);
const text = `${[head, ...sections].join('\n\n')}\n`;
writeFileSync(page, text);
for (const [name, svg] of Object.entries(drawCharts(text))) {
  writeFileSync(new URL(`../docs/images/${name}`, import.meta.url), svg);
}
