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
      'Each cell has the ratio of the time to the theoretical minimum, and the number of 429s. Both are means of three runs in virtual time, each with a different random seed. There is a column for each of seven [window models](assumptions.md#which-pacing-is-safe-under-which-window). In the quiet network, a request takes 40 to 120 ms to reach the API, its response takes 30 to 90 ms to come back, and opening a connection takes 300 ms. In the second network, each request takes longer to arrive, by a random time of up to 2 s. In the third, all requests take 2 s longer in every other minute. Each of the other libraries is measured twice: with the window of 60 s, and with a window that is a second longer (the rows with "61 s"). After a 429, these libraries wait 60 s, as the API docs advise. "Never ends" means that more than 1,000 requests were rejected.',
    script: 'bench/pacing/pacing.ts',
  },
  {
    name: 'real-time',
    title: 'Pacing: real minutes',
    about:
      'The client sends its calls over HTTP to the mock, in real time. There is a row for each of three window models.',
    script: 'bench/pacing/real-time.ts',
  },
  {
    name: 'many-clients',
    title: 'Pacing: a thousand clients of one key',
    about:
      'All clients run in one process, in virtual time. Each cell has the ratio of the time to the theoretical minimum, and the number of 429s.',
    script: 'bench/pacing/many-clients.ts',
  },
  {
    name: 'many-waiting',
    title: 'Pacing: a thousand waiting calls and keys',
    about:
      'The table shows the CPU time per call, and the longest turn of the event loop (measured as wall time or as CPU time of the process, whichever is less). The calls start 50 at a time. The rows with bare promises show the cost without the client. Before each request, the client searches its queue from the start for the next call to send. This is slow but simple, and a key with 60 requests a minute hardly ever has a thousand waiting calls. An earlier version kept its queue in heaps, and took 85 µs per call.',
    script: 'bench/pacing/many-waiting.ts',
  },
  {
    name: 'shared-stores',
    title: 'Pacing: four processes',
    about:
      'Four processes use one key, with a window of 10 s. Each cell has the ratio of the time to the theoretical minimum, and the number of 429s.',
    script: 'bench/shared/shared-stores.ts',
  },
  {
    name: 'shared-stores-minutes',
    title: 'Pacing: four processes, real minutes',
    about: 'This is the same measurement with the real window of 60 s.',
    script: 'bench/shared/shared-stores.ts',
    args: ['minutes'],
  },
  {
    name: 'shares',
    title: 'Pacing: people during an export',
    about:
      'The table shows how long an interactive call takes during an export with the same key. The test runs for three real minutes, over HTTP against the mock. `reserve` is the number of requests per minute that the export leaves to [interactive calls](sharing-a-key.md#who-goes-first).',
    script: 'bench/shared/shares.ts',
  },
  {
    name: 'client-cpu',
    title: 'Client: CPU per call',
    about:
      'The table shows the CPU time of the client process: the medians of interleaved rounds. The client checks the size and depth of each response. With `onEvent`, it also compares each response with the documented fields. An earlier version used zod for this comparison, and did not check size and depth. Its ratio was 1.34 without `onEvent`, and 1.71 with it.',
    script: 'bench/client/client-cpu.ts',
  },
  {
    name: 'masking',
    title: 'Client: masking',
    about:
      'The table shows the CPU time to mask an order that contains a text of 10 MB: the fastest of three rounds. The goal is 1.5 s.',
    script: 'bench/client/masking.ts',
  },
  {
    name: 'import-time',
    title: 'Client: import',
    about:
      'The table shows the time to import the built package in a new process: the fastest of 21 interleaved rounds.',
    script: 'bench/client/import-time.ts',
  },
  {
    name: 'walk-memory',
    title: 'Client: memory of a long walk',
    about:
      'The table shows how much the memory grows during a walk (a call that reads the list page by page). Most of the resident set is garbage that has not been collected yet.',
    script: 'bench/client/walk-memory.ts',
  },
  {
    name: 'seek',
    title: 'Client: an order by number or date',
    about:
      'The table shows how many list requests it takes to find an order or a date among 100,000 orders, with `findOrder` and with the [search](decisions.md#one-search-without-interpolation) behind `createdBefore`. The lists with campaign days imitate a shop that gets 10 or 30 times as many orders on those days. They have few orders on weekends, none on holidays, a campaign on one day in fifty, gaps in the order numbers, and a new sequence of numbers each year. With every request, one more order is added to these lists. The figures for "page by page" are calculated. In the second table, the column "one finder" is for a single `orderFinder()`, which reuses the pages that it has read. An earlier version, which interpolated between dates, needed a median of only 4 to 8 requests to find a date.',
    script: 'bench/client/seek.ts',
  },
  {
    name: 'n8n-shares',
    title: 'n8n: days of one key',
    about:
      'The built package of n8n nodes runs in virtual time against the mock. In one n8n process, triggers poll once a minute, a user searches in the editor every 2 to 10 minutes, and an export reads 300 orders with details every 45 to 135 minutes. The shop has 150 pending orders, and gets 12 new orders an hour. The columns from "new order" to "license codes" show the delay from an event to the start of the workflow, in seconds (median / 95th percentile). Time during which the API or n8n is down is not counted. "Lost" counts events that were never emitted. A repeat under the same `eventId` after a crash is expected and not counted.',
    script: 'bench/n8n/shares.ts',
  },
  {
    name: 'n8n-month',
    title: 'n8n: 25,000 paid orders',
    about:
      'This is the same measurement for one trigger with two events (*Status Changed* and *License Codes Available*) that has the key to itself. The shop gets two new orders an hour. The trigger reads the whole list about every four hours.',
    script: 'bench/n8n/month.ts',
  },
  {
    name: 'n8n-real',
    title: 'n8n: fifteen real minutes of one key',
    about:
      'A real n8n 2.41.1 runs against the mock. The mock has 3,000 orders, of which 150 are pending, and gets 90 new orders an hour. Two triggers, exports of 150 orders with details, and a search in *From List* every 5 to 25 seconds share the key with `examples/watch.ts`, which can use 15 of the 60 requests per minute. For three minutes, the API fails for three orders. The workflow of one trigger is published again during a poll. n8n is killed while it emits an event, and later stopped and started once more. The new n8n process does not know what the old one sent, so up to two 429s are expected after each restart. `examples/watch.ts` is killed as well. This run shared its two cores with other work. In another run, on an idle machine, exports took 191 to 245 s.',
    script: 'bench/n8n/real.ts',
  },
  {
    name: 'mock',
    title: 'Mock: Prism and json-server',
    about:
      'Each server returns the same page of 20 orders, over 16 connections. The figures are the medians of five rounds of 2.5 s, and CPU time is that of the server process. The mock caches no responses. In the row with 100,000 orders, it serves 500 different pages.',
    script: 'packages/mock-api/bench/compare.ts',
  },
  {
    name: 'n8n-totals',
    title: 'n8n: totals of a month three years back',
    about:
      "The task is to get the totals of one month among 100,000 orders, in n8n 2.41 at 60 requests per minute. The Order License node searches for the end of the month, then reads the month. Its counts and sums match those that we calculated from the whole list. In the mock, every seventh order was created in the same second as the next one, so the node reads overlapping pages. If no two orders share a second, the node needs 46 requests. An earlier version, which interpolated between dates, needed 39 instead of the 56 in the table. The first 52 requests take about a second, and each further batch of up to 52 adds a minute. The HTTP Request node's pagination hits the rate limit after 3,000 orders and reports success without reaching the month.",
    script: 'bench/n8n/totals.ts',
  },
  {
    name: 'questions',
    title: 'MCP server: twelve questions',
    about:
      'The table shows what an assistant needs for the exact answer: tool calls, API requests, and the tokens of arguments and results. The figure before the arrow is for an assistant that reads page by page. The figure after the arrow is for an assistant that uses dates, `summary`, `ids` and order numbers. The shop has 1,218 orders unless the question names 100,000. `tests/questions` checks the answers.',
    script: 'bench/questions.ts',
  },
  {
    name: 'cold-start',
    title: 'MCP server: cold start',
    about:
      'The table shows the time from the start of the process to the response to `initialize`, and the peak memory up to the response to `tools/list`.',
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

\`./dev bench\` writes this page. Ratios within one run carry over to other machines; absolute times don’t.

Measured with ${usual}, unless a section says otherwise.`;
const sections = benches.flatMap((bench) => {
  const figures = fresh.get(bench.title) ?? known(bench);
  return figures ? [`## ${bench.title}`, bench.about, figures.replace(`: ${usual}.`, '.')] : [];
});
writeFileSync(page, `${[head, ...sections].join('\n\n')}\n`);
