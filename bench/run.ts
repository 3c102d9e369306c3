// pnpm bench [name …]: runs every benchmark, or those named, and writes their parts of docs/benchmarks.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

interface Bench {
  name: string;
  title: string;
  /** What it measures and what its figures mean. */
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
      'Time / theoretical minimum, and the number of 429s (mean of three seeds), for seven [window models](assumptions.md#which-pacing-is-safe-under-which-window), in virtual time. The quiet network takes 40 to 120 ms to the service, 30 to 90 ms back, and 300 ms for a new connection. In the other two networks, requests take up to 2 s longer to arrive: each for itself, or all of them every other minute. Each library appears with its window of 60 s and with 61 s. After a 429, the other libraries wait 60 s, as the API docs advise. "Never ends": more than 1,000 requests were rejected.',
    script: 'bench/pacing/pacing.ts',
  },
  {
    name: 'real-time',
    title: 'Pacing: real minutes',
    about: 'Over HTTP against the mock, in real time.',
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
    title: 'Pacing: a thousand waiting calls and keys',
    about:
      'CPU per call, and the longest turn of the event loop (wall or CPU time of the process, whichever is less). Calls start 50 at a time. Bare promises show the cost without the client.',
    script: 'bench/pacing/many-waiting.ts',
  },
  {
    name: 'shared-stores',
    title: 'Pacing: four processes',
    about: 'Time / theoretical minimum, and the number of 429s, with one key.',
    script: 'bench/shared/shared-stores.ts',
  },
  {
    name: 'shared-stores-minutes',
    title: 'Pacing: four processes, real minutes',
    about: 'The same with the real window of 60 s.',
    script: 'bench/shared/shared-stores.ts',
    args: ['minutes'],
  },
  {
    name: 'shares',
    title: 'Pacing: people during an export',
    about:
      'How long an interactive call takes during an export with the same key: three real minutes, over HTTP against the mock.',
    script: 'bench/shared/shares.ts',
  },
  {
    name: 'client-cpu',
    title: 'Client: CPU per call',
    about: 'CPU of the client process, medians of interleaved rounds.',
    script: 'bench/client/client-cpu.ts',
  },
  {
    name: 'import-time',
    title: 'Client: import',
    about: 'The built package in a new process: the fastest of 21 interleaved rounds.',
    script: 'bench/client/import-time.ts',
  },
  {
    name: 'walk-memory',
    title: 'Client: memory of a long walk',
    about: 'Growth during a walk; most of the resident set is garbage not yet collected.',
    script: 'bench/client/walk-memory.ts',
  },
  {
    name: 'seek',
    title: 'Client: an order by number or date',
    about:
      'List requests among 100,000 orders, for `findOrder` and the `createdBefore` search. The lists with campaign days are models: few orders on weekends, none on holidays, a campaign on one day in fifty, gaps in the numbers, a new sequence each year, and one more order with every request. "Page by page" is calculated. In the second table, one finder reuses the pages it read.',
    script: 'bench/client/seek.ts',
  },
  {
    name: 'n8n-shares',
    title: 'n8n: days of one key',
    about:
      'The built pack in virtual time against the mock: one n8n process, triggers that poll once a minute, a search in the editor every 2 to 10 minutes, an export of 300 orders with details every 45 to 135 minutes, 12 new orders an hour, 150 pending. Delays: median / 95th percentile in seconds from the event to the start of the workflow, excluding downtime of the service and n8n. Lost: events never emitted. A repeat under the same `eventId` after a crash is expected and not counted.',
    script: 'bench/n8n/shares.ts',
  },
  {
    name: 'n8n-month',
    title: 'n8n: 25,000 paid orders',
    about:
      'The same for one trigger (*Status Changed* and *License Codes Available*) alone on its key, with two new orders an hour. It reads the whole list about every four hours.',
    script: 'bench/n8n/month.ts',
  },
  {
    name: 'n8n-real',
    title: 'n8n: fifteen real minutes of one key',
    about:
      'A real n8n 2.41.1 against the mock with 3,000 orders, 150 of them pending, and 90 new orders an hour: two triggers, exports of 150 orders with details, *From List* every 5 to 25 seconds, and `examples/watch.ts` on the same key, with 15 of the 60 requests. The API fails for three orders for three minutes. One trigger is republished during a poll; n8n is killed while it emits, and restarted later; the program is killed, too.',
    script: 'bench/n8n/real.ts',
  },
  {
    name: 'mock',
    title: 'Mock: Prism and json-server',
    about:
      'The same page of 20 orders from each, over 16 connections: medians of five rounds of 2.5 s. CPU of the server process. The mock serializes each answer; with 100,000 orders, it serves 500 different pages.',
    script: 'packages/mock-api/bench/compare.ts',
  },
  {
    name: 'n8n-totals',
    title: 'n8n: totals of a month three years back',
    about:
      "In n8n 2.41, among 100,000 orders, at 60 requests per minute. The node searches for the end of the month, then reads the month; its counts and sums match those of the list read page by page. The HTTP Request node's pagination hits the limit after 3,000 orders and reports success without reaching the month.",
    script: 'bench/n8n/totals.ts',
  },
  {
    name: 'questions',
    title: 'MCP server: twelve questions',
    about:
      'What an assistant needs for the exact answer: tool calls, requests to the service, and tokens of arguments and answers. Left of the arrow: page by page; right: with dates, `summary`, `ids` and numbers. The shop has 1,218 orders unless the question names 100,000. `tests/questions` checks the answers.',
    script: 'bench/questions.ts',
  },
  {
    name: 'cold-start',
    title: 'MCP server: cold start',
    about: 'From spawn to the answer to `initialize`; peak memory up to the answer to `tools/list`.',
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
const machine = `Node ${process.version}, ${processor}, ${process.platform}`;
const measured = `Measured ${new Date().toISOString().slice(0, 10)}: ${machine}.`;
const fresh = new Map<string, string>();
for (const bench of benches.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  console.log(`\n${bench.title}\n`);
  fresh.set(bench.title, `${await run(bench)}\n\n${measured}`);
}

const page = new URL('../docs/benchmarks.md', import.meta.url);
const before = existsSync(page) ? readFileSync(page, 'utf8') : '';
const parts = before.split(/^(?=## )/m);
/** The figures of an earlier run: everything but the heading and the text below it. */
const known = ({ title }: Bench) => {
  const part = parts.find((text) => text.startsWith(`## ${title}\n`));
  return part?.trim().split('\n\n').slice(2).join('\n\n');
};
const usual = (wanted.length > 0 && /^Measured with (.*), unless/m.exec(before)?.[1]) || machine;
const head = `# Benchmarks

Written by \`./dev bench\`. Ratios within one run carry over to other machines; absolute times don’t.

Measured with ${usual}, unless a section says otherwise.`;
const sections = benches.flatMap((bench) => {
  const figures = fresh.get(bench.title) ?? known(bench);
  return figures ? [`## ${bench.title}`, bench.about, figures.replace(`: ${usual}.`, '.')] : [];
});
writeFileSync(page, `${[head, ...sections].join('\n\n')}\n`);
