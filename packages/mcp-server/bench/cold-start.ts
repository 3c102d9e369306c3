// From the start of the process to the answer to `initialize`, beside two servers of the MCP project and bare Node:
//   node bench/cold-start.ts [rounds]
// The two are installed into node_modules/.cache on the first run. Medians of interleaved rounds; the built bundle is
// measured, so build first. "first" has an empty compile cache, as right after an installation.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

const local = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const cache = local('../node_modules/.cache/bench');
const rounds = Number(process.argv[2] ?? 15);
const folder = mkdtempSync(join(tmpdir(), 'cold-start-'));
/** With the argument that each needs. */
const others = { 'server-everything': 'stdio', 'server-filesystem': folder };

const install = (): void => {
  const missing = Object.keys(others).filter(
    (name) => !existsSync(join(cache, 'node_modules/@modelcontextprotocol', name)),
  );
  if (missing.length === 0) return;
  mkdirSync(cache, { recursive: true });
  const packages = missing.map((name) => `@modelcontextprotocol/${name}`);
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', cache, ...packages], {
    stdio: ['ignore', process.stderr.fd, process.stderr.fd], // stdout is for the table
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('The servers to compare with could not be installed.');
};

interface Run {
  /** To the answer to `initialize`, or to the exit of a process that serves nothing, ms. */
  ms: number;
  /** Of the answer to `tools/list`. */
  tokens: number;
}

const request = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const initialize = request(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1.0.0' },
});
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';

const start = (args: string[], compileCache: string): Promise<Run> =>
  new Promise((resolve, reject) => {
    const env = {
      ...process.env,
      NODE_COMPILE_CACHE: compileCache,
      ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1',
      ORDER_LICENSE_API_KEY: 'not-used',
    };
    const startedAt = performance.now();
    const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    let ms: number | undefined;
    let tokens = 0;
    let text = '';
    child.stdin.on('error', () => undefined); // bare Node does not read
    child.stdin.write(initialize);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const { id, result } = JSON.parse(line);
        if (id === 1) {
          ms = performance.now() - startedAt;
          child.stdin.write(initialized + request(2, 'tools/list', {}));
        } else if (id === 2) {
          tokens = encode(JSON.stringify(result)).length;
          child.stdin.end();
          if (args[0] !== ours) child.kill();
        }
      }
    });
    child.on('error', reject);
    child.on('exit', () => resolve({ ms: ms ?? performance.now() - startedAt, tokens }));
  });

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const ours = local('../dist/cli.js');
install();
const candidates: [name: string, args: string[], fresh: boolean][] = [
  ['node -e 0', ['-e', '0'], false],
  ['order-license-mcp', [ours], false],
  ['order-license-mcp, first', [ours], true],
  ...Object.entries(others).map(([name, arg]): [string, string[], boolean] => [
    name,
    [join(cache, 'node_modules/@modelcontextprotocol', name, 'dist/index.js'), arg],
    false,
  ]),
];
const runs = new Map<string, Run[]>(candidates.map(([name]) => [name, []]));
const warm = join(folder, 'warm');
try {
  await start([ours], warm);
  for (let round = 0; round < rounds; round++) {
    for (const [name, args, fresh] of candidates) {
      runs.get(name)?.push(await start(args, fresh ? join(folder, `first-${round}`) : warm));
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
const bare = median((runs.get('node -e 0') ?? []).map(({ ms }) => ms));
const line = (cells: (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);
line(['server', 'ms, median', 'times bare Node', 'tokens of tools/list (o200k)']);
line(['---', '---', '---', '---']);
for (const [name, results] of runs) {
  const ms = median(results.map((run) => run.ms));
  line([name, Math.round(ms), (ms / bare).toFixed(2), results[0]?.tokens || '']);
}
