import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

export interface Start {
  /** Time until the response to `initialize`, or until a process that serves nothing exits, ms. */
  ms: number;
  /** Peak memory until the response to `tools/list`, bytes; undefined except on Linux. */
  peakBytes: number | undefined;
  /** Number of tokens in the response to `tools/list`. */
  tokens: number | undefined;
}

const request = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const initialize = request(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1.0.0' },
});
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';

/** Settings that some of the servers need to start; they are never sent anywhere. */
const settings = {
  ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1',
  ORDER_LICENSE_API_KEY: 'not-used',
  NOTION_TOKEN: 'not-used',
};

/** Starts Node with these arguments, lists the tools and stops it. */
export const start = (args: string[]): Promise<Start> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, ...settings, NODE_COMPILE_CACHE: undefined }; // few users set NODE_COMPILE_CACHE
    const startedAt = performance.now();
    const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    let ms: number | undefined;
    let peakBytes: number | undefined;
    let tokens: number | undefined;
    let text = '';
    child.stdin.on('error', () => undefined); // without a server, Node does not read stdin
    child.stdin.write(initialize);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const { id, result } of lines.map((line) => JSON.parse(line))) {
        if (id === 1) {
          ms = performance.now() - startedAt;
          child.stdin.write(initialized + request(2, 'tools/list', {}));
        } else if (id === 2) {
          peakBytes = readPeak(child.pid as number);
          tokens = encode(JSON.stringify(result)).length;
          end(child);
        }
      }
    });
    child.on('error', reject);
    child.on('exit', () => resolve({ ms: ms ?? performance.now() - startedAt, peakBytes, tokens }));
  });

/** Stops a server as clients do: closes its stdin, and kills it if it still runs after a second. */
const end = (child: ChildProcess): void => {
  child.stdin?.end();
  const timer = setTimeout(() => child.kill(), 1_000);
  child.once('exit', () => clearTimeout(timer));
};

/**
 * Peak memory of a process so far, bytes. Doesn't use `resourceUsage().maxRSS`, which a child inherits from its
 * parent.
 */
const readPeak = (pid: number): number | undefined =>
  process.platform === 'linux' ? peakIn(readFileSync(`/proc/${pid}/status`, 'utf8')) : undefined;

/** Reads the peak memory from the contents of `/proc/<pid>/status`, bytes. */
export const peakIn = (status: string): number | undefined => {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
};
