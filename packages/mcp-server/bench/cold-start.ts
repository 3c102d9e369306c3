// Measures how long this server, bare Node and other servers take to respond to `initialize`, and how much memory they
// use until they have responded to `tools/list`:
//
// node bench/cold-start.ts [rounds]
//
// Prints the median of all rounds; each round starts every server once. Run a build first: the bench starts the built
// bundle.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPeers } from './peers.ts';
import { peakIn, type Start, start } from './start.ts';

const rounds = Number(process.argv[2] ?? 15);
const ours = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'cold-start-'));

/** Returns the peak memory of a Node process that runs no server, bytes; undefined except on Linux. */
const readBarePeak = (): number | undefined => {
  if (process.platform !== 'linux') return undefined;
  const args = ['-p', 'fs.readFileSync("/proc/self/status", "utf8")'];
  return peakIn(execFileSync(process.execPath, args, { encoding: 'utf8' }));
};

interface Candidate {
  name: string;
  args: string[];
  starts: Start[];
}

const candidate = (name: string, args: string[]): Candidate => ({ name, args, starts: [] });

const median = <Value>(values: Value[]): Value | undefined =>
  values.toSorted((a, b) => Number(a) - Number(b))[Math.floor(values.length / 2)];

const bare = candidate('node -e 0', ['-e', '0']);
const candidates = [
  bare,
  candidate('order-license-mcp', [ours]),
  ...Object.entries(installPeers(folder)).map(([name, args]) => candidate(name, args)),
];
try {
  for (const { args } of candidates) await start(args);
  for (let round = 0; round < rounds; round++) {
    for (const { args, starts } of candidates) starts.push(await start(args));
  }
} finally {
  rmSync(folder, { recursive: true });
}

const line = (cells: string[]): void => console.log(`| ${cells.join(' | ')} |`);
line(['server', 'ms, median', '× bare Node', 'peak memory, MiB', 'tokens of tools/list (o200k)']);
line(['---', '---', '---', '---', '---']);
const bareMs = median(bare.starts.map(({ ms }) => ms)) ?? Number.NaN;
for (const { name, starts } of candidates) {
  const ms = median(starts.map((one) => one.ms)) ?? Number.NaN;
  const peakBytes = starts === bare.starts ? readBarePeak() : median(starts.map((one) => one.peakBytes));
  const memory = peakBytes === undefined ? '—' : (peakBytes / 2 ** 20).toFixed(1);
  line([name, ms.toFixed(0), (ms / bareMs).toFixed(2), memory, String(starts[0]?.tokens ?? '')]);
}
