// pnpm bench [name …] runs every benchmark, or those named, and writes their sections of docs/benchmarks.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

interface Bench {
  name: string;
  title: string;
  /** What the benchmark measures, and what its figures mean. */
  about: string;
  /** The script to run; it prints a Markdown table. */
  script: string;
  args?: string[];
}

const benches: Bench[] = [
  {
    name: 'pacing',
    title: 'Pacing: one process',
    about:
      'The ratio of time to theoretical minimum, and the number of 429s (means of three seeds), for seven [window models](assumptions.md#which-pacing-is-safe-under-which-window), in virtual time. In the quiet network, a request takes 40 to 120 ms to the API and 30 to 90 ms back, and a new connection takes 300 ms. In the other two networks, requests take longer to arrive: each by a random time of up to 2 s, or all of them by 2 s in every other minute. The other libraries are measured with a window of 60 s and with one of 61 s. After a 429, they wait 60 s, as the API docs advise. "Never ends" means that more than 1,000 requests were rejected.',
    script: 'bench/pacing/pacing.ts',
  },
  {
    name: 'real-time',
    title: 'Pacing: real minutes',
    about: 'Calls over HTTP against the mock, in real time.',
    script: 'bench/pacing/real-time.ts',
  },
  {
    name: 'many-clients',
    title: 'Pacing: a thousand clients of one key',
    about: 'All clients run in one process, in virtual time.',
    script: 'bench/pacing/many-clients.ts',
  },
  {
    name: 'many-waiting',
    title: 'Pacing: a thousand waiting calls and keys',
    about:
      'CPU time per call, and the longest turn of the event loop (its wall time or the CPU time of the process, whichever is less). Calls start 50 at a time. Bare promises show the cost without the client. The queue is searched from its start each time, which costs more than in earlier versions (85 µs per call): a key with 60 requests a minute never has a thousand waiting calls.',
    script: 'bench/pacing/many-waiting.ts',
  },
  {
    name: 'shared-stores',
    title: 'Pacing: four processes',
    about: 'The ratio of time to theoretical minimum, and the number of 429s, for four processes with one key.',
    script: 'bench/shared/shared-stores.ts',
  },
  {
    name: 'shared-stores-minutes',
    title: 'Pacing: four processes, real minutes',
    about: 'The same measurement with the real window of 60 s.',
    script: 'bench/shared/shared-stores.ts',
    args: ['minutes'],
  },
  {
    name: 'shares',
    title: 'Pacing: people during an export',
    about:
      'How long an interactive call takes during an export with the same key, in three real minutes, over HTTP against the mock.',
    script: 'bench/shared/shares.ts',
  },
  {
    name: 'client-cpu',
    title: 'Client: CPU per call',
    about:
      'CPU time of the client process: medians of interleaved rounds. Both client rows cost more than in earlier versions (1.34 and 1.71 on this machine): responses are checked for size and depth, and the documented fields are compared without zod, which core no longer installs.',
    script: 'bench/client/client-cpu.ts',
  },
  {
    name: 'import-time',
    title: 'Client: import',
    about: 'The time to import the built package in a new process: the fastest of 21 interleaved rounds.',
    script: 'bench/client/import-time.ts',
  },
  {
    name: 'walk-memory',
    title: 'Client: memory of a long walk',
    about: 'Memory growth during a walk. Most of the resident set is garbage that has not been collected yet.',
    script: 'bench/client/walk-memory.ts',
  },
  {
    name: 'seek',
    title: 'Client: an order by number or date',
    about:
      'The number of list requests among 100,000 orders, for `findOrder` and for the search behind `createdBefore`. The lists with campaign days are models: few orders on weekends, none on holidays, a campaign on one day in fifty, gaps in the order numbers, a new sequence each year, and one more order with every request. "Page by page" is calculated. In the second table, one finder reuses the pages that it has read. Searches by date take more requests than in earlier versions (a median of 4 to 8): [one search for everything](decisions.md#one-search-without-interpolation) replaced interpolation.',
    script: 'bench/client/seek.ts',
  },
  {
    name: 'n8n-shares',
    title: 'n8n: days of one key',
    about:
      'The built pack in virtual time against the mock. In one n8n process, triggers poll once a minute, a user searches in the editor every 2 to 10 minutes, and an export reads 300 orders with details every 45 to 135 minutes. The shop has 150 pending orders and gets 12 new ones an hour. Delays: median / 95th percentile of the seconds from an event to the start of the workflow, not counting time in which the API or n8n is down. Lost: events that were never emitted. A repeat under the same `eventId` after a crash is expected and not counted.',
    script: 'bench/n8n/shares.ts',
  },
  {
    name: 'n8n-month',
    title: 'n8n: 25,000 paid orders',
    about:
      'The same measurement for one trigger (*Status Changed* and *License Codes Available*) that has the key to itself, with two new orders an hour. The trigger reads the whole list about every four hours.',
    script: 'bench/n8n/month.ts',
  },
  {
    name: 'n8n-real',
    title: 'n8n: fifteen real minutes of one key',
    about:
      'A real n8n 2.41.1 against the mock, with 3,000 orders, of which 150 are pending, and 90 new orders an hour. Two triggers, exports of 150 orders with details, and a search in *From List* every 5 to 25 seconds share the key with `examples/watch.ts`, which has 15 of the 60 requests per minute. The API fails for three orders for three minutes. One trigger is republished during a poll. n8n is killed while it emits an event, and later stopped and started once more. `examples/watch.ts` is killed as well. This run shared its two cores with other work. In an earlier run on an idle machine, exports took 191 to 245 s.',
    script: 'bench/n8n/real.ts',
  },
  {
    name: 'mock',
    title: 'Mock: Prism and json-server',
    about:
      'Each server returns the same page of 20 orders, over 16 connections: medians of five rounds of 2.5 s. CPU time is that of the server process. The mock serializes each response; with 100,000 orders, it serves 500 different pages.',
    script: 'packages/mock-api/bench/compare.ts',
  },
  {
    name: 'n8n-totals',
    title: 'n8n: totals of a month three years back',
    about:
      "The totals of one month among 100,000 orders, in n8n 2.41 at 60 requests per minute. The node searches for the end of the month, then reads the month; its counts and sums match those of the list read page by page. In the mock, every seventh order was created in the same second as the next one, so pages overlap; if no two orders share a second, the node needs 46 requests. Up to 52 requests take about a second, each further 52 a minute. An earlier version needed 39, because it [interpolated between dates](decisions.md#one-search-without-interpolation). The HTTP Request node's pagination hits the limit after 3,000 orders and reports success without reaching the month.",
    script: 'bench/n8n/totals.ts',
  },
  {
    name: 'questions',
    title: 'MCP server: twelve questions',
    about:
      'What an assistant needs for the exact answer: tool calls, API requests, and the tokens of arguments and results. Left of the arrow, the assistant reads page by page; right of it, it uses dates, `summary`, `ids` and order numbers. The shop has 1,218 orders unless the question names 100,000. `tests/questions` checks the answers.',
    script: 'bench/questions.ts',
  },
  {
    name: 'cold-start',
    title: 'MCP server: cold start',
    about:
      'The time from spawn to the response to `initialize`, and the peak memory up to the response to `tools/list`.',
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
  console.error(`There is no benchmark "${unknown}". Use one of these: ${benches.map(({ name }) => name).join(', ')}.`);
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
/**
 * Returns the figures of an earlier run: everything in a section except its heading and the paragraph below the
 * heading.
 */
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
