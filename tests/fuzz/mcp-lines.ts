import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { listen } from '@order-license/mock-api';
import { plantedKey } from '@order-license/testing/canary';
import { commandLine } from '../servers/mcp-command.ts';
import { type Area, holdsFor } from './area.ts';
import { fuzzMessage } from './json-rpc.ts';

export const mcpLines: Area = {
  name: 'lines to the MCP server over stdio',
  holds: 'the next request gets a result; every line it writes is JSON-RPC; no key in its output',
  share: 5,
  async open() {
    const service = await listen({ limit: 'off', orders: 10, keys: { business: plantedKey } });
    const { command, args, env } = commandLine({ baseUrl: service.baseUrl, apiKey: plantedKey, clock: 1 });
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    let problem: string | undefined;
    const waiting = new Map<string, () => void>();
    child.stderr.on('data', (chunk) => {
      if (String(chunk).includes(plantedKey)) problem = 'A key is on stderr.';
    });
    child.on('exit', (code) => {
      problem = `The server ended with ${code}.`;
      for (const go of waiting.values()) go();
    });
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (text) => {
      if (text.includes(plantedKey)) problem = 'A key is on stdout.';
      try {
        const { jsonrpc, id } = JSON.parse(text);
        if (jsonrpc !== '2.0') problem = `Not JSON-RPC: ${text.slice(0, 200)}`;
        waiting.get(id)?.();
      } catch {
        problem = `Not JSON: ${text.slice(0, 200)}`;
      }
    });
    let asked = 0;
    const ask = async (method: string, params: object): Promise<void> => {
      const id = `test-${++asked}`;
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('The next request got no result within 10 s.')), 10_000);
        waiting.set(id, () => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve();
        });
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      });
      if (problem) throw new Error(problem);
    };
    const clientInfo = { name: 'test', version: '1.0.0' };
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    return {
      property: holdsFor(fuzzMessage, async (text) => {
        child.stdin.write(`${text}\n`);
        await ask('ping', {});
      }),
      async close() {
        child.removeAllListeners('exit');
        const ended = once(child, 'exit');
        child.kill();
        await ended;
        await service.close();
      },
    };
  },
};
