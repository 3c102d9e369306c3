// node tests/soak/strangers.ts [--minutes N]
// Runs two MCP servers over HTTP for N real minutes (default 30): one with the rate-limit store in memory, one with
// SQLite. Each gets four calls a second with API keys that are new in every call and that the API rejects, and a call
// every three seconds with the server's own key. Needs Linux and a build.
// Prints memory and the number of rows in the file. Exit code 1 if memory grows after the warm-up, or if the file keeps
// the rows of old keys.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { listen } from '@order-license/mock-api';
import { mcpCommand } from '../servers/mcp-command.ts';
import { growth, type Memory, residentMiB } from './minutes/memory.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
const ticks = Number(values.minutes) * 240;
if (!(ticks > 0 && ticks <= 1_440 * 240))
  throw new RangeError('--minutes must be a number greater than 0, and at most 1440.');
/**
 * Maximum growth of memory, MiB, and maximum number of rows in the file. This allows for garbage collection, and for
 * the keys of one minute.
 */
const [maxGrowth, maxRows] = [20, 600];

const token = 'an-access-token-of-this-server';
const folder = mkdtempSync(join(tmpdir(), 'strangers-'));
const file = join(folder, 'store.sqlite');
const mock = await listen({ journalSize: 100 });

const startServer = async (name: string, store: string) => {
  const env = {
    ORDER_LICENSE_BASE_URL: mock.baseUrl,
    ORDER_LICENSE_API_KEY: mock.keys.business,
    ORDER_LICENSE_ACCESS_TOKEN: token,
    ORDER_LICENSE_REQUESTS_PER_MINUTE: '30', // both servers use the same key
    ORDER_LICENSE_STORE: store,
  };
  // With a small young generation, memory settles in two minutes instead of ten.
  const args = ['--max-semi-space-size=4', mcpCommand, 'http', '--port', '0'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const memory: Memory = { name, pid: child.pid ?? 0, samples: [] };
  return { child, memory, url: /http:\S+/.exec(line)?.[0] ?? '', outcomes: new Map<string, number>() };
};
type Server = Awaited<ReturnType<typeof startServer>>;

const call = async ({ url, outcomes }: Server, key?: string): Promise<void> => {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${token}`,
    ...(key !== undefined && { 'x-order-license-key': key }),
  };
  const params = { name: 'order_license_get_me', arguments: {} };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const response = await fetch(url, { method: 'POST', headers, body });
  const [, code = response.status === 200 ? 'ok' : response.status] =
    /"text":"(\w+):/.exec(await response.text()) ?? [];
  const outcome = `${key === undefined ? 'own key' : 'stranger'} ${code}`;
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
};

const countRows = (): number => {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 1_000 });
  const rows = db.prepare('select count(*) as rows from permits').get()?.rows;
  db.close();
  return Number(rows);
};

const servers = [await startServer('memory', 'memory'), await startServer('SQLite', `sqlite:${file}`)];
let rows = 0;
const calls: Promise<void>[] = [];
for (let tick = 1; tick <= ticks; tick++) {
  for (const server of servers) {
    const count = (error: Error): void => void server.outcomes.set(error.message, 1);
    calls.push(call(server, randomUUID()).catch(count));
    if (tick % 12 === 0) calls.push(call(server).catch(count));
  }
  await setTimeout(250);
  if (tick % 120 > 0) continue;
  await Promise.all(calls.splice(0));
  rows = Math.max(rows, countRows());
  for (const { memory, outcomes } of servers) {
    const MiB = residentMiB(memory.pid) ?? Number.NaN;
    memory.samples.push(MiB);
    const counted = [...outcomes].map(([outcome, count]) => `${outcome}: ${count}`).join(', ');
    console.log(`minute ${tick / 240}, ${memory.name}: ${MiB.toFixed(0)} MiB; ${counted}; at most ${rows} rows`);
  }
}
const grown = servers.map(({ memory }) => ({ name: memory.name, MiB: growth(memory) }));
for (const { child } of servers) {
  child.kill();
  await once(child, 'exit');
}
await mock.close();
rmSync(folder, { recursive: true });
for (const { name, MiB } of grown)
  console.log(`${name}: ${MiB.toFixed(1)} MiB more in the last third than in the second`);
process.exitCode = grown.some(({ MiB }) => MiB > maxGrowth) || rows > maxRows ? 1 : 0;
