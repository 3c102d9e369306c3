import { once } from 'node:events';
import { expect, test } from 'vitest';
import { getMe, post, rpc } from '../testing/http-session.fixture.ts';
import { publicUrl, startIssuer, writeSignInFile } from '../testing/issuer.fixture.ts';
import { startCommand } from '../testing/mcp-session.fixture.ts';
import { slowService } from '../testing/slow-service.fixture.ts';

/** Starts `order-license-mcp http` with sign-in by this issuer. */
const startHttp = (issuer: string, env: Record<string, string> = {}) => {
  const file = writeSignInFile({ publicUrl, issuer, subjects: { alice: true } });
  return startCommand(['http', '--port', '0'], { ORDER_LICENSE_OAUTH: file, ...env }).child;
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
  const child = startHttp(new URL(silent.baseUrl).origin);
  await silent.came;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([143, null]);
});

onPosix.each(['SIGTERM', 'SIGHUP'] as const)('on %s, http finishes a call whose token it checks', async (signal) => {
  const service = await slowService();
  service.answerAll();
  const issuer = await startIssuer();
  const child = startHttp(issuer.url, { ORDER_LICENSE_BASE_URL: service.baseUrl });
  const [line] = await once(child.stdout, 'data');
  await issuer.rotate(); // so that the server reads the keys again
  const token = await issuer.issue();
  const held = issuer.hold();
  const call = post(/http:[^ ]+/.exec(line)?.[0] ?? '', { authorization: `Bearer ${token}` }, getMe);
  await held.came;
  const exit = once(child, 'exit');
  child.kill(signal);
  held.release();
  expect((await call).text).toContain('"user_id":7');
  expect(await exit).toEqual([0, null]);
});
