import { once } from 'node:events';
import { freePort } from '@order-license/testing/free-port';
import { expect, test, vi } from 'vitest';
import { startCommand } from '../testing/mcp-session.fixture.ts';

/** Runs `order-license-mcp http` until it listens. Returns its output, and a promise for its first text on stderr. */
const start = async (env: Record<string, string>, flags: string[] = []) => {
  const { child } = startCommand(['http', '--port', '0', ...flags], env);
  const stderr = once(child.stderr, 'data');
  const [printed] = await once(child.stdout, 'data');
  return { printed, stderr };
};

test('reports an unusable rate-limit store at startup, on stderr and in the first line', async () => {
  const { printed, stderr } = await start({ ORDER_LICENSE_STORE: 'redis://user:canary@127.0.0.1:1' }, ['--open']);
  expect((await stderr)[0]).toBe(
    'order-license-mcp: the rate-limit store cannot be used (Redis: ECONNREFUSED); the server counts requests in memory instead and sends at most 15 per minute; check ORDER_LICENSE_STORE.\n',
  );
  expect(printed).toContain(
    '; the rate-limit store cannot be used (Redis: ECONNREFUSED); the server counts requests in',
  );
});

test.each([
  [{}, ['--open'], 'anybody on this machine, or behind a proxy on it, can use the server'],
  [{ ORDER_LICENSE_ACCESS_TOKEN: 'a-token-of-this-server' }, [], 'holders of the access token can use the server'],
])('the first line says who can use the server, and its API key and store: %j %j', async (env, flags, who) => {
  expect((await start(env, flags)).printed.replace(/:\d+/, '')).toBe(
    `order-license-mcp listens on http://127.0.0.1/mcp (${who}; requests use the server's API key; license keys shown; requests counted in memory, for this process only)\n`,
  );
});

test('serves even if the program that started it does not read its output', async () => {
  const port = await freePort();
  const { child, printed } = startCommand(['http', '--open', '--port', `${port}`]);
  child.stdout.destroy();
  const status = async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).status;
  expect(await vi.waitFor(status, { timeout: 5_000 })).toBe(200);
  child.kill();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(printed()).toBe('');
});
