import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { OrderList } from '@order-license/core';
import { commandLine, startHttpCommand } from '../servers/mcp-command.ts';
import { growth, type Memory, residentMiB } from './memory.ts';
import type { ServiceCount } from './service-process.ts';
import type { WalkerCount } from './walker-process.ts';

export interface MinutesReport {
  service: ServiceCount;
  walker: WalkerCount;
  /** Calls of the MCP servers that were answered, and that were asked to retry later. */
  answered: number;
  heldBack: number;
  memory: Memory[];
  problems: string[];
}

/** MiB that a process may grow by after its warm-up. */
const mostGrowth = 16;

/**
 * Real minutes of service: the mock, two MCP servers over stdio, one over HTTP and a walker with the client of core.
 * Five processes, four of them on one API key and one rate-limit store in a SQLite file.
 */
export const runMinutes = async (
  minutes: number,
  signal: AbortSignal,
  onProgress: (report: MinutesReport, secondsLeft: number) => void,
): Promise<MinutesReport> => {
  const folder = mkdtempSync(join(tmpdir(), 'order-license-soak-'));
  const store = join(folder, 'store.sqlite');
  const problems: string[] = [];
  const report: MinutesReport = {
    service: { requests: 0, refused: 0, violations: 0 },
    walker: { walks: 0, reads: 0, problems: [] },
    answered: 0,
    heldBack: 0,
    memory: [],
    problems,
  };

  const serviceProcess = start('service-process.ts');
  const [{ baseUrl, apiKey }] = (await once(serviceProcess, 'message')) as [{ baseUrl: string; apiKey: string }];
  const walker = start('walker-process.ts', baseUrl, apiKey, store);
  const options = { baseUrl, apiKey, clock: 1 };
  const env = { ORDER_LICENSE_STORE: `sqlite:${store}` };
  const stdio = [1, 2].map(() => {
    const line = commandLine(options);
    return new StdioClientTransport({ ...line, env: { ...line.env, ...env }, stderr: 'pipe' });
  });
  const http = await startHttpCommand(options, env);
  const clients = await Promise.all(
    [...stdio, new StreamableHTTPClientTransport(http.url)].map(async (transport) => {
      const client = new Client({ name: 'soak', version: '1.0.0' });
      await client.connect(transport);
      return client;
    }),
  );
  let stderr = '';
  for (const transport of stdio) transport.stderr?.on('data', (chunk) => (stderr += chunk));
  report.memory = [
    { name: 'mock', pid: serviceProcess.pid ?? 0, samples: [] },
    { name: 'walker', pid: walker.pid ?? 0, samples: [] },
    ...stdio.map((transport, n) => ({ name: `MCP stdio ${n + 1}`, pid: transport.pid ?? 0, samples: [] })),
    { name: 'MCP HTTP', pid: http.pid, samples: [] },
  ];

  const endsAt = performance.now() + minutes * 60_000;
  const goesOn = (): boolean => performance.now() < endsAt && !signal.aborted;
  /** What an assistant does: reads a page, and some orders of it; if asked to retry later, it waits. */
  const use = async (client: Client): Promise<void> => {
    let list: OrderList | undefined;
    for (let turn = 0; goesOn(); turn++) {
      const order = list?.orders[turn % 20];
      const call =
        turn % 5 === 0 || !order
          ? { name: 'list_orders', arguments: { page: 1 + (turn % 15) } }
          : { name: 'get_order', arguments: { id: order.id } };
      // Ctrl-C ends the servers too, perhaps in the middle of a call.
      const answer = await client.callTool(call).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      if (!answer) return;
      const { isError, content, structuredContent } = answer;
      const text = content[0]?.type === 'text' ? content[0].text : '';
      if (!isError) report.answered += 1;
      else if (/^rate_limited: The limit/.test(text)) report.heldBack += 1;
      else problems.push(text);
      if (!isError && call.name === 'list_orders') list = structuredContent as unknown as OrderList;
      await setTimeout(isError ? 5_000 : 12_000, undefined, { signal }).catch(() => undefined);
    }
  };
  const look = async (): Promise<void> => {
    while (goesOn()) {
      await setTimeout(5_000, undefined, { signal }).catch(() => undefined);
      for (const { pid, samples } of report.memory) {
        const resident = residentMiB(pid);
        if (resident !== undefined) samples.push(resident);
      }
      report.service = await ask<ServiceCount>(serviceProcess, 'count');
      report.walker = await ask<WalkerCount>(walker, 'count');
      onProgress(report, Math.max(0, (endsAt - performance.now()) / 1000));
    }
  };
  try {
    await Promise.all([...clients.map(use), look()]);
  } finally {
    report.walker = await ask<WalkerCount>(walker, 'end');
    report.service = await ask<ServiceCount>(serviceProcess, 'count');
    const ended = Promise.all([once(walker, 'exit'), once(serviceProcess, 'exit')]);
    serviceProcess.disconnect();
    await Promise.all(clients.map((client) => client.close()));
    await http.stop();
    await ended;
    rmSync(folder, { recursive: true });
  }

  const { refused, violations } = report.service;
  if (refused > 0) problems.push(`${refused} requests were refused with 429`);
  if (violations > 0) problems.push(`${violations} requests broke a rule of the API docs`);
  problems.push(...report.walker.problems);
  if (report.walker.left?.length) problems.push(`the walker left handles open: ${report.walker.left}`);
  if (
    stderr +
      http
        .output()
        .replace(/^.*listens on.*$/m, '')
        .trim() !==
    ''
  )
    problems.push(`${stderr}${http.output()}`);
  for (const memory of report.memory) {
    if (growth(memory) > mostGrowth) problems.push(`${memory.name} grew by ${growth(memory).toFixed(1)} MiB`);
    if (isAlive(memory.pid)) problems.push(`${memory.name} is still running`);
  }
  return report;
};

const start = (script: string, ...args: string[]): ChildProcess =>
  fork(fileURLToPath(new URL(script, import.meta.url)), args, { execArgv: [] });

const ask = async <Answer>(child: ChildProcess, question: string): Promise<Answer> => {
  const answer = once(child, 'message');
  child.send(question);
  return (await answer)[0] as Answer;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
