import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { getMe, post, rpc } from '../testing/http-session.fixture.ts';
import { publicUrl, startIssuer, writeSignInFile } from '../testing/issuer.fixture.ts';
import { startCommand } from '../testing/mcp-session.fixture.ts';
import { slowService } from '../testing/slow-service.fixture.ts';

/** Starts `order-license-mcp http` with sign-in by this issuer. */
const startHttp = (issuer: string, env: Record<string, string> = {}) => {
  const file = writeSignInFile({ publicUrl, issuer, subjects: { alice: true } });
  return startCommand(['http', '--port', '0'], { ORDER_LICENSE_OAUTH: file, ...env });
};

// Windows has no SIGTERM: stopping a process there ends it at once.
const onPosix = test.runIf(process.platform !== 'win32');

onPosix.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGQUIT', 131],
  ['SIGTERM', 143],
] as const)('%s ends the server over stdio by itself, as PID 1 must', async (signal, code) => {
  const { child } = startCommand([], { ORDER_LICENSE_STORE: 'memory' });
  child.stdin.write(`${rpc('ping')}\n`);
  await once(child.stdout, 'data');
  const exit = once(child, 'exit');
  child.kill(signal);
  expect(await exit).toEqual([code, null]);
});

onPosix('SIGTERM ends http while the issuer does not respond', async () => {
  const silent = await slowService();
  const { child } = startHttp(new URL(silent.baseUrl).origin);
  await silent.came;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([143, null]);
});

onPosix.each(['SIGTERM', 'SIGHUP'] as const)(
  'on %s, http finishes a call whose token it checks, accepts no other and exits with 0, without printing a key or token',
  async (signal) => {
    const service = await slowService();
    service.answerAll();
    const issuer = await startIssuer();
    const { child, printed } = startHttp(issuer.url, {
      ORDER_LICENSE_BASE_URL: service.baseUrl,
      ORDER_LICENSE_API_KEY: 'canary-key-of-the-server',
      ORDER_LICENSE_ACCESS_TOKEN: 'canary-access-token',
    });
    const [line] = await once(child.stdout, 'data');
    const url = /http:[^ ]+/.exec(line)?.[0] ?? '';
    await post(url, { authorization: 'Bearer canary-wrong-token' });
    await post(url, { authorization: 'Bearer canary-access-token', 'x-order-license-key': 'canary wrong key' });
    await issuer.rotate(); // so that the server reads the keys again
    const authorization = `Bearer ${await issuer.issue()}`;
    const held = issuer.hold();
    const call = post(url, { authorization, 'x-order-license-key': 'canary-key-of-a-caller' }, getMe);
    await held.came;
    child.kill(signal);
    const isOpen = () => fetch(new URL('/healthz', url)).then(Boolean, () => false);
    while (await isOpen()) await setImmediate();
    const exit = once(child, 'exit');
    held.release();
    expect((await call).text).toContain('"user_id":7');
    expect(await exit).toEqual([0, null]);
    expect(line + printed()).not.toContain('canary');
  },
);
