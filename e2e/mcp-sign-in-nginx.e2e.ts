// Sign-in through nginx, which serves the MCP server below a path, as docs/operating.md shows.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installClients } from './mcp/install.ts';
import { postToolCall } from './mcp/post-tool-call.ts';
import type { SignIn } from './mcp/sign-in.ts';
import { findProgram } from './redis/debian-package.ts';

installClients();
const { createOAuthClient } = await import('./mcp/oauth-client.ts');
const { startSignIn } = await import('./mcp/sign-in.ts');

const nginx = findProgram('nginx');
if (!nginx) console.error("nginx is not tested: it is neither on the PATH nor among this system's packages");

const docs = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8');
const [, settings = '', locations = ''] =
  /```txt\n(proxy_set_header[^`]*?)location \/ \{[^`]*```[^`]*(?:`[^`]+`[^`]*)*```txt\n(location \/orders\/[^`]*)```/.exec(
    docs,
  ) ?? [];

let signIn: SignIn;
beforeAll(async () => {
  signIn = await startSignIn('/orders');
});
afterAll(() => signIn?.stop());

/** Starts nginx with the locations, and waits until it responds. */
const startNginx = async (): Promise<ChildProcess> => {
  const { folder, publicUrl, server, url } = signIn;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const local = (settings + locations).replaceAll('http://127.0.0.1:3000', new URL(server.url).origin);
  const config = `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
http { access_log off; ${temporary.join(' ')} server { listen ${new URL(publicUrl).host};
${local} } }`;
  writeFileSync(join(folder, 'nginx.conf'), config);
  const { path = '', env } = nginx ?? {};
  const child = spawn(path, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    env,
    stdio: 'inherit',
  });
  for (let tries = 0; tries < 100 && !(await fetch(url).catch(() => undefined)); tries++) await setTimeout(50);
  return child;
};

test('the docs show how nginx removes the path', () => {
  expect(settings).toContain('proxy_buffering off;');
  expect(locations).toContain('/.well-known/oauth-protected-resource/orders/');
});

describe.runIf(nginx)('behind an nginx that removes the path of publicUrl', () => {
  let child: ChildProcess;
  beforeAll(async () => {
    child = await startNginx();
  });
  afterAll(async () => {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  });

  test.each([1, 2] as const)('a client of SDK version %i signs in and calls a tool', async (sdk) => {
    const alice = createOAuthClient(signIn.url, 'alice', { sdk });
    const client = await alice.connect();
    const getMe = { name: 'order_license_get_me', arguments: {} };
    expect(await client.callTool(getMe)).toMatchObject({ structuredContent: { user_id: 4711 } });
    expect(alice.logins()).toBe(1);
    await client.close();
  });

  test('a token that names 400 groups is accepted', async () => {
    const { idp, url } = signIn;
    const groups = Array.from({ length: 400 }, () => crypto.randomUUID());
    const exp = Math.floor(Date.now() / 1000) + 60;
    const token = await idp.forge({ iss: idp.issuer, sub: 'alice', aud: url, scope: 'orders:read', exp, groups });
    expect(token.length).toBeGreaterThan(20_000);
    const response = await postToolCall(url, 'order_license_get_me', { authorization: `Bearer ${token}` });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('4711')]);
  });
});
