import { setTimeout } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { commandLine, startHttpCommand } from '../../servers/mcp-command.ts';
import { type CallerCount, callTools, newCallerCount, noteGap } from './caller.ts';
import { startChild } from './child.ts';
import { growth, type Memory, residentMiB } from './memory.ts';
import type { N8nCount, N8nJob } from './n8n-process.ts';
import type { ProgramCount, ProgramJob } from './program-process.ts';
import type { ServiceCount, ServiceStart } from './service-process.ts';

/**
 * Requests per minute: `store` for the four processes that share a store, `n8n` for n8n, which counts its own requests.
 */
export const shares = { store: 40, n8n: 20 };
/** Requests per minute that the programs leave to the MCP servers, out of those that the store allows. */
const reserve = 8;

/** The program names in `User-Agent`. */
export const programNames = {
  mcp: 'order-license-mcp',
  n8n: 'n8n-nodes-order-license',
  export: 'export',
  synchronization: 'synchronization',
} as const;

export interface MinutesReport {
  service: ServiceCount;
  programs: Record<ProgramJob['kind'], ProgramCount>;
  n8n: N8nCount;
  callers: Record<'stdio' | 'http', CallerCount>;
  memory: Memory[];
  problems: string[];
}

export type OnProgress = (report: MinutesReport, secondsLeft: number) => void;

/** Maximum growth of a process's memory after its warm-up, MiB. */
const mostGrowth = 16;
/**
 * Maximum time that a process may wait for a permit while the others take all the permits they can, ms. It is about
 * three windows.
 */
const mostGapMs = 190_000;

/**
 * Runs for real minutes in which every process tries to send more requests than the limit allows. Five processes use
 * the same API key: MCP over stdio, MCP over HTTP and two programs share a store, and n8n has its own part of the
 * limit. The mock runs in a sixth process.
 * @param store the value of ORDER_LICENSE_STORE
 */
export const runMinutes = async (
  minutes: number,
  store: string,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<MinutesReport> => {
  const service = startChild(new URL('./service-process.ts', import.meta.url));
  const { baseUrl, apiKey, truth } = await service.next<ServiceStart>();
  const job = { baseUrl, apiKey, store, requests: shares.store, reserve, truth };
  const n8n = startChild(new URL('./n8n-process.ts', import.meta.url), {
    ...{ baseUrl, apiKey, truth, requestsPerMinute: shares.n8n },
  } satisfies N8nJob);
  const startProgram = (kind: ProgramJob['kind']) =>
    startChild(new URL('./program-process.ts', import.meta.url), { ...job, kind } satisfies ProgramJob);
  const programs = { export: startProgram('export'), synchronization: startProgram('synchronization') };
  const options = { baseUrl, apiKey, clock: 1 };
  const env = { ORDER_LICENSE_STORE: store, ORDER_LICENSE_REQUESTS_PER_MINUTE: String(shares.store) };
  const line = commandLine(options);
  const stdio = new StdioClientTransport({ ...line, env: { ...line.env, ...env }, stderr: 'pipe' });
  const http = await startHttpCommand(options, env);
  const open = async (transport: Parameters<Client['connect']>[0]): Promise<Client> => {
    const client = new Client({ name: 'soak', version: '1.0.0' });
    await client.connect(transport);
    return client;
  };
  const clients = { stdio: await open(stdio), http: await open(new StreamableHTTPClientTransport(new URL(http.url))) };
  let stderr = '';
  stdio.stderr?.on('data', (chunk) => (stderr += chunk));
  const problems: string[] = [];
  const memory = Object.entries({
    ...{ mock: service.pid, export: programs.export.pid, synchronization: programs.synchronization.pid },
    ...{ n8n: n8n.pid, 'MCP stdio': stdio.pid ?? 0, 'MCP HTTP': http.pid },
  }).map(([name, pid]): Memory => ({ name, pid, samples: [] }));
  const callers = { stdio: newCallerCount(), http: newCallerCount() };
  const readCounts = async (question: 'count' | 'end'): Promise<MinutesReport> => ({
    programs: {
      export: await programs.export.ask(question),
      synchronization: await programs.synchronization.ask(question),
    },
    n8n: await n8n.ask(question),
    service: await service.ask('count'),
    callers,
    memory,
    problems,
  });

  const endsAt = performance.now() + minutes * 60_000;
  const ends = AbortSignal.any([signal, AbortSignal.timeout(minutes * 60_000)]);
  const calling = { truth, problems, ends, isInterrupted: () => signal.aborted };
  const conversations = [
    ...[1, 2].map(() => callTools(clients.stdio, { ...calling, count: callers.stdio })),
    ...[1, 2, 3, 4].map(() => callTools(clients.http, { ...calling, count: callers.http })),
  ];
  const look = async (): Promise<void> => {
    while (!ends.aborted) {
      await setTimeout(5_000, undefined, { signal: ends }).catch(() => undefined);
      for (const { pid, samples } of memory) {
        const resident = residentMiB(pid);
        if (resident !== undefined) samples.push(resident);
      }
      onProgress(await readCounts('count'), Math.max(0, (endsAt - performance.now()) / 1000));
    }
  };
  let report: MinutesReport;
  try {
    await Promise.all([...conversations, look()]);
  } finally {
    for (const count of Object.values(callers)) noteGap(count);
    report = await readCounts('end');
    service.disconnect();
    await Promise.all(Object.values(clients).map((client) => client.close()));
    await http.stop();
    await Promise.all([service, n8n, ...Object.values(programs)].map(({ ended }) => ended));
  }
  // Only the startup line and lines about rate-limited calls are expected on stderr.
  const written = stderr + http.printed().replace(/^.*(listens on|failed: rate_limited).*$/gm, '');
  if (written.trim() !== '') problems.push(written.trim());
  problems.push(...brokenPromises(report, signal.aborted));
  return report;
};

const brokenPromises = (
  { service, programs, n8n, callers, memory }: MinutesReport,
  isInterrupted: boolean,
): string[] => {
  const { rejected, violations, byProgram } = service;
  const problems = [...n8n.problems, ...Object.values(programs).flatMap(({ problems }) => problems)];
  if (rejected > 0) problems.push(`${rejected} requests were rejected with 429`);
  if (violations > 0) problems.push(`${violations} requests broke a rule of the API docs`);
  const answered = callers.stdio.answered + callers.http.answered;
  const sent = byProgram[programNames.mcp]?.requests ?? 0;
  if (sent !== answered && !isInterrupted)
    problems.push(`the MCP servers sent ${sent} requests for ${answered} answers`);
  for (const [name, { left }] of Object.entries(programs)) {
    if (left?.length) problems.push(`${name} left handles open: ${left}`);
  }
  const gaps = {
    ...Object.fromEntries(Object.values(programNames).map((name) => [name, byProgram[name]?.longestGapMs])),
    ...{ 'MCP stdio': callers.stdio.longestGapMs, 'MCP HTTP': callers.http.longestGapMs },
  };
  for (const [name, ms = Number.POSITIVE_INFINITY] of Object.entries(gaps)) {
    if (ms > mostGapMs) problems.push(`${name} sent nothing for ${ms / 1_000} s`);
  }
  const longestMs = Math.max(callers.stdio.longestMs, callers.http.longestMs);
  // Common MCP clients give up after a minute.
  if (longestMs >= 60_000) problems.push(`an MCP call took ${longestMs / 1_000} s`);
  for (const one of memory) {
    if (growth(one) > mostGrowth) problems.push(`${one.name} grew by ${growth(one).toFixed(1)} MiB`);
    if (isAlive(one.pid)) problems.push(`${one.name} is still running`);
  }
  return problems;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
