import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startCommand, startMock } from '../testing/mcp-session.fixture.ts';
import { slowService } from '../testing/slow-service.fixture.ts';

const start = (baseUrl = 'https://shop.example/api/v1', apiKey = 'canary-key') =>
  startCommand([], {
    ORDER_LICENSE_BASE_URL: baseUrl,
    ORDER_LICENSE_API_KEY: apiKey,
    ORDER_LICENSE_STORE: 'memory',
  });

const rpc = (id: unknown, method: string, params?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

test('a message over 10 MiB ends the server with one line on stderr and exit code 1', async () => {
  const { child, printed } = start();
  child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"canary","params":{"x":"${'canary'.repeat(1_900_000)}"}}\n`);
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(printed()).toMatch(/^order-license-mcp: \S+Z from stdin: a message is longer than 10 MiB, [^\n]+\n$/);
  expect(printed()).not.toContain('canary');
});

test('responds to a long message within the limit, and exits with 0 when stdin ends', async () => {
  const { child, printed } = start();
  const x = 'x'.repeat(9 * 1024 * 1024);
  child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${x}"}}\n`);
  const [answer] = await once(child.stdout, 'data');
  expect(JSON.parse(answer)).toMatchObject({ id: 1 });
  child.stdin.end();
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(printed()).toBe('');
});

test('exits silently if the client closes stdout', async () => {
  const { child, printed } = start();
  child.stdout.destroy();
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(printed()).toBe('');
});

/** Returns the messages that the command has written to stdout until it ended. */
const answersOf = async (child: ChildProcessWithoutNullStreams): Promise<{ id: unknown; result?: object }[]> => {
  const lines = (await readAll(child.stdout)).trim().split('\n');
  return lines.map((line) => JSON.parse(line));
};

const initialize = rpc(0, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
});
const call = (id: number, name = 'order_license_get_me') => rpc(id, 'tools/call', { name });

test('responds to every request received before stdin ended, even to a last line without a line break', async () => {
  const { mock } = await startMock();
  const { child } = start(mock.baseUrl, mock.keys.business);
  const exit = once(child, 'exit');
  const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
  child.stdin.end([initialize, initialized, call(1, 'order_license_list_orders'), call(2), call(2)].join('\n'));
  const answers = await answersOf(child);
  expect(answers.map(({ id }) => id).sort()).toEqual([0, 1, 2, 2]);
  expect(answers.every(({ result }) => result !== undefined)).toBe(true);
  expect(await exit).toEqual([0, null]);
});

test('ends when stdin ends, even if the client does not read the access log', async () => {
  const { child } = startCommand([], { ORDER_LICENSE_ACCESS_LOG: 'stderr', ORDER_LICENSE_STORE: 'memory' });
  child.stderr.pause();
  const exit = once(child, 'exit');
  const calls = Array.from({ length: 2_000 }, (_, id) => call(id, 'order_license_get_order')); // without arguments
  child.stdin.end([initialize, ...calls].join('\n'));
  expect(await answersOf(child)).toHaveLength(2_001);
  expect(await exit).toEqual([0, null]);
});

/** Starts the built command in front of an API that does not respond, and calls a tool. */
const startCall = async () => {
  const service = await slowService();
  const { child } = start(service.baseUrl);
  child.stdin.write(`${initialize}\n${call(1)}\n`);
  await service.came;
  return child;
};

test('ends without waiting for a request that was cancelled before stdin ended', async () => {
  const child = await startCall();
  child.stdin.end('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n');
  expect(await answersOf(child)).toEqual([expect.objectContaining({ id: 0 })]);
});

// On Windows, a pipe reports that its reader is gone only when something is written.
test.runIf(process.platform !== 'win32')('ends at once if the client is gone while a call runs', async () => {
  const child = await startCall();
  const exit = once(child, 'exit');
  child.stdout.destroy();
  child.stdin.end();
  const tooLate = setTimeout(5_000, 'running', { ref: false }); // the server gives up after 10 s
  expect(await Promise.race([exit, tooLate])).toEqual([0, null]);
});
