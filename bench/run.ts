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
  /** Whether the benchmark runs only if named, because it compares with other programs. Other runs keep its figures. */
  isByName?: boolean;
}

const benches: Bench[] = [
  {
    name: 'pacing',
    title: 'Pacing: one process',
    about:
      'The time for 600 requests, 8 in flight, divided by the theoretical minimum, and the number of 429s: the worst of seven [readings of "per minute"](assumptions.md#which-pacing-is-safe-under-which-window), each the mean of three runs in virtual time. On the quiet network, a request takes 40 to 120 ms to arrive.',
    script: 'bench/pacing/pacing.ts',
  },
  {
    name: 'pacing-libraries',
    title: 'Pacing: other libraries',
    about:
      'The same for libraries that wait 60 s after a 429. "Never ends" means more than 1,000 429s; "61 s", a window one second longer.',
    script: 'bench/pacing/pacing.ts',
    args: ['libraries'],
    isByName: true,
  },
  {
    name: 'shared-stores',
    title: 'Pacing: four processes',
    about: 'One key, with a window of 10 s: time divided by the theoretical minimum, and 429s.',
    script: 'bench/shared/shared-stores.ts',
    isByName: true,
  },
  {
    name: 'shares',
    title: 'Pacing: people during an export',
    about:
      'How long an interactive call takes during an export with the same key: three real minutes, over HTTP. [`reserve`](sharing-a-key.md#who-goes-first) is the number of requests per minute that the export leaves to such calls.',
    script: 'bench/shared/shares.ts',
  },
  {
    name: 'client-cpu',
    title: 'Client: CPU per call',
    about:
      'CPU time of the client process: medians of interleaved rounds. With `onEvent`, the client checks every documented field. The bare pool takes 70 to 109 µs from run to run, so the first ratio varies from 1.0 to 1.4.',
    script: 'bench/client/client-cpu.ts',
  },
  {
    name: 'masking',
    title: 'Client: masking',
    about: 'CPU time to mask an order with a text of 10 MB: the fastest of three rounds. The goal is 1.5 s.',
    script: 'bench/client/masking.ts',
  },
  {
    name: 'seek',
    title: 'Client: an order by number or date',
    about:
      'List requests to find an order (`findOrder`) or a date (`createdBefore`) among 100,000 orders. With campaign days, one day in fifty has 10 or 30 times as many orders, and an order arrives with every request. "Page by page" is calculated.',
    script: 'bench/client/seek.ts',
  },
  {
    name: 'n8n-shares',
    title: 'n8n: days of one API key',
    about:
      'The built n8n nodes in virtual time: triggers poll once a minute, a user searches in the editor every 2 to 10 minutes, and an export reads 300 orders with details every 45 to 135 minutes. The shop has 150 pending orders and gets 12 new ones an hour. The first columns are the seconds from event to workflow (median / 95th percentile), without the time in which the API or n8n is down. n8n counts requests in memory, so soon after it was killed, a few can get a 429. An order that has all its codes is read once more ten minutes later: 4 to 5% of the requests. "Wrong" counts events that are lost, made up, or repeated without a crash or under another `eventId`.',
    script: 'bench/n8n/shares.ts',
  },
  {
    name: 'n8n-paid-orders',
    title: 'n8n: 25,000 paid orders',
    about:
      'The same for one trigger with *Status Changed* and *License Codes Available* that has the key to itself, and two new orders an hour. Reading all pages in turn takes two hours.',
    script: 'bench/n8n/paid-orders.ts',
  },
  {
    name: 'questions',
    title: 'MCP server: twelve questions',
    about:
      'Tool calls, API requests, and tokens of arguments and results for the exact answer, which `tests/questions` checks. The pages of a period overlap, which costs up to a sixth more requests.',
    script: 'bench/questions.ts',
  },
  {
    name: 'cold-start',
    title: 'MCP server: cold start',
    about: 'Time from the start to the response to `initialize`, and peak memory until the response to `tools/list`.',
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
for (const bench of benches.filter(({ name, isByName }) => (wanted.length === 0 ? !isByName : wanted.includes(name)))) {
  console.log(`\n${bench.title}\n`);
  fresh.set(bench.title, `${await run(bench)}\n\n${measured}`);
}

/**
 * Returns the figures of an earlier run: everything in a section except its heading and the paragraph below the
 * heading.
 */
const known = (before: string, { title }: Bench): string | undefined => {
  const part = before.split(/^(?=## )/m).find((text) => text.startsWith(`## ${title}\n`));
  return part?.trim().split('\n\n').slice(2).join('\n\n');
};

const page = new URL('../docs/benchmarks.md', import.meta.url);
const before = existsSync(page) ? readFileSync(page, 'utf8') : '';
const usual = (wanted.length > 0 && /^Measured with (.*), unless/m.exec(before)?.[1]) || machine;
const sections = benches.flatMap((bench) => {
  const figures = fresh.get(bench.title) ?? known(before, bench);
  return figures ? [`## ${bench.title}`, bench.about, figures.replace(`: ${usual}.`, '.')] : [];
});
const head = `# Benchmarks

\`./dev bench\` writes this page. Ratios within one run carry over to other machines; absolute times don't.

Measured with ${usual}, unless a section says otherwise.`;
writeFileSync(page, `${[head, ...sections].join('\n\n')}\n`);
