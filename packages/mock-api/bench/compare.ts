// node packages/mock-api/bench/compare.ts
// Benchmarks the built mock against Prism and json-server: one page of 20 orders, over loopback, in interleaved rounds.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { listen } from '../src/index.ts';
import type { Load, LoadResult } from './load.ts';
import { cache, installPeers } from './peers.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const connections = 16;
const rounds = 5;
const roundMs = 2_500;
const warmUpMs = 3_000; // V8 needs about two seconds to optimize frequently executed code
const starts = 3;

interface Contender {
  name: string;
  start(probe: boolean): Promise<ServerProcess>;
  paths: string[];
}

interface Figures {
  requestsPerSecond: number[];
  cpuMicrosPerRequest: number[];
  bytesPerAnswer: number[];
  startMs: number[];
  rssMB: number;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

const run = promisify(execFile);
const loadScript = fileURLToPath(new URL('load.ts', import.meta.url));
const load = async (options: Load): Promise<LoadResult> =>
  JSON.parse((await run(process.execPath, [loadScript, JSON.stringify(options)])).stdout);

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const openApi = fileURLToPath(new URL('../openapi.yaml', import.meta.url));
if (!existsSync(cli)) throw new Error(`${cli} is missing. Build first: pnpm build`);

// The same seed produces the same keys, so the servers under test accept this instance's key.
const source = await listen({ limit: 'off', orders: 120 });
const headers = { authorization: `Bearer ${source.keys.business}`, accept: 'application/json' };

const startMock =
  (orders: string) =>
  (probe: boolean): Promise<ServerProcess> =>
    startServer(
      cli,
      (port) => ['--port', port, '--limit', 'off', '--orders', orders],
      '/api/v1/orders',
      headers,
      probe,
    );

// The other servers get the mock's orders, so that all three send the same data: Prism uses the first page as its
// example, and json-server stores all orders.
const peers = installPeers();
const pageNumbers = [1, 2, 3, 4, 5, 6];
const readPage = async (page: number): Promise<{ data: { orders: unknown[] } }> => {
  const response = await fetch(`${source.baseUrl}/orders?page=${page}`, { headers });
  return response.json() as Promise<{ data: { orders: unknown[] } }>;
};
const pages = await Promise.all(pageNumbers.map(readPage));
await source.close();
const description = parse(readFileSync(openApi, 'utf8'));
description.paths['/orders'].get.responses['200'].content['application/json'].examples = {
  page: { value: pages[0] },
};
const prismFile = join(cache, 'openapi.yaml');
writeFileSync(prismFile, stringify(description));
const jsonServerFile = join(cache, 'db.json');
writeFileSync(jsonServerFile, JSON.stringify({ orders: pages.flatMap((page) => page.data.orders) }));

const startPrism =
  (...flags: string[]) =>
  (probe: boolean): Promise<ServerProcess> =>
    startServer(peers.prism, (port) => ['mock', prismFile, '--port', port, ...flags], '/orders', headers, probe);

const contenders: Contender[] = [
  {
    name: 'order-license-mock',
    start: startMock('120'),
    paths: pageNumbers.map((page) => `/api/v1/orders?page=${page}`),
  },
  {
    name: 'order-license-mock, 100,000 orders',
    start: startMock('100000'),
    paths: Array.from({ length: 500 }, (_, i) => `/api/v1/orders?page=${1 + ((i * 1_231) % 5_000)}`),
  },
  {
    name: 'Prism 5.16 mock',
    start: startPrism(),
    paths: pageNumbers.map((page) => `/orders?page=${page}`),
  },
  {
    name: 'Prism 5.16 mock -v silent',
    start: startPrism('-v', 'silent'),
    paths: pageNumbers.map((page) => `/orders?page=${page}`),
  },
  {
    name: 'json-server 0.17',
    start: (probe) =>
      startServer(
        peers.jsonServer,
        (port) => ['--quiet', '--host', '127.0.0.1', '--port', port, jsonServerFile],
        '/orders',
        headers,
        probe,
      ),
    paths: pageNumbers.map((page) => `/orders?_page=${page}&_limit=20`),
  },
];

const running: { contender: Contender; server: ServerProcess; figures: Figures }[] = [];
try {
  for (const contender of contenders) {
    const startMs: number[] = [];
    for (let i = 0; i < starts; i++) {
      const server = await contender.start(false);
      startMs.push(server.startMs);
      await server.stop();
    }
    const server = await contender.start(true);
    const figures = { requestsPerSecond: [], cpuMicrosPerRequest: [], bytesPerAnswer: [], startMs, rssMB: 0 };
    running.push({ contender, server, figures });
    await load({ origin: server.origin, paths: contender.paths, headers, connections, durationMs: warmUpMs });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { contender, server, figures } of running) {
      const before = await server.usage();
      const { requests, bytes, seconds } = await load({
        origin: server.origin,
        paths: contender.paths,
        headers,
        connections,
        durationMs: roundMs,
      });
      const after = await server.usage();
      figures.requestsPerSecond.push(requests / seconds);
      figures.cpuMicrosPerRequest.push((after.cpuMicros - before.cpuMicros) / requests);
      figures.bytesPerAnswer.push(bytes / requests);
      figures.rssMB = after.rssBytes / 1e6;
    }
  }
} finally {
  await Promise.all(running.map(({ server }) => server.stop()));
}

const cpuOf = ({ figures }: (typeof running)[number]): number => median(figures.cpuMicrosPerRequest);
const ours = cpuOf(running[0] as (typeof running)[number]);
const rows = running.map((entry) => {
  const { contender, figures } = entry;
  return [
    contender.name,
    median(figures.requestsPerSecond).toFixed(0),
    cpuOf(entry).toFixed(1),
    `${(cpuOf(entry) / ours).toFixed(1)} ×`,
    median(figures.startMs).toFixed(0),
    figures.rssMB.toFixed(0),
    median(figures.bytesPerAnswer).toFixed(0),
  ];
});
const head = [
  'server',
  'requests/s',
  'CPU µs/request',
  'CPU / ours',
  'start to first response, ms',
  'RSS after, MB',
  'bytes/response',
];
const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;

console.log([line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'));
