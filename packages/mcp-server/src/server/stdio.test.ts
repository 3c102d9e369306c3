import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { cliPath } from '../testing/mcp-session.fixture.ts';

/** The built command, and what it has written to stderr. */
const start = () => {
  const child = spawn(process.execPath, [cliPath], {
    env: { ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1', ORDER_LICENSE_API_KEY: 'canary-key' },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let printed = '';
  child.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  child.stdin.on('error', () => undefined); // it ends during a write
  return { child, printed: () => printed };
};

test('a message over 10 MiB ends the server with a line and exit code 1', async () => {
  const { child, printed } = start();
  child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"canary","params":{"x":"${'canary'.repeat(1_900_000)}"}}\n`);
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(printed()).toMatch(/^order-license-mcp: \S+Z from stdin: a message is longer than 10 MiB, [^\n]+\n$/);
  expect(printed()).not.toContain('canary');
});

test('answers a long message within the limit, and exits with 0 when stdin ends', async () => {
  const { child, printed } = start();
  const x = 'x'.repeat(9 * 1024 * 1024);
  child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${x}"}}\n`);
  const [answer] = await once(child.stdout.setEncoding('utf8'), 'data');
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
