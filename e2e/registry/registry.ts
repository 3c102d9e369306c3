import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../packages/testing/src/free-port.ts';
import { installFolder } from '../install-folder.ts';

const here = import.meta.dirname;
const user = { name: 'maintainer', password: 'rehearsal' };
const ours = ['@order-license/*', 'n8n-nodes-order-license'];

export interface Registry {
  /** The environment for npm, npx and pnpm: logged in to this registry, with a separate cache. */
  env: NodeJS.ProcessEnv;
  /** Trusted publishers by package, as `npm trust` sent them. */
  trusted: Map<string, object[]>;
  /** Packages whose publishing is rejected. */
  rejected: Set<string>;
  /** The published packages with their versions, in the order of publishing. */
  published: string[];
  close(): Promise<void>;
}

/**
 * Starts a registry on loopback. At first it has none of our packages; other packages come from this machine's
 * registry. It is Verdaccio behind a proxy. The proxy handles `npm trust`, which Verdaccio does not support, and can
 * reject a package.
 * @param folder an empty folder for everything that the registry stores
 */
export const startRegistry = async (folder: string): Promise<Registry> => {
  installFolder(here, 'Installing Verdaccio into e2e/registry/node_modules.');
  const outside = execFileSync('npm', ['config', 'get', 'registry'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
  const port = await freePort();
  const config = {
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd') } },
    uplinks: { outside: { url: outside } },
    packages: {
      ...Object.fromEntries(ours.map((name) => [name, { access: '$all', publish: '$authenticated' }])),
      '**': { access: '$all', proxy: 'outside' },
    },
    max_body_size: '50mb',
    log: { type: 'file', path: join(folder, 'verdaccio.log'), level: 'warn' },
  };
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config)); // JSON is valid YAML
  const verdaccio = join(here, 'node_modules/verdaccio/bin/verdaccio');
  const child = spawn(process.execPath, [verdaccio, '--config', 'config.yaml', '--listen', `127.0.0.1:${port}`], {
    cwd: folder,
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const trusted: Registry['trusted'] = new Map();
  const rejected: Registry['rejected'] = new Set();
  const published: string[] = [];

  const proxy = createServer(async (incoming, outgoing) => {
    const answer = (status: number, body: unknown): void => {
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const path = decodeURIComponent(incoming.url ?? '');
    const [, name] = /^\/-\/package\/(.+)\/trust$/.exec(path) ?? [];
    if (name) {
      if (incoming.method === 'POST') trusted.set(name, (await json(incoming)) as object[]);
      return answer(200, trusted.get(name)?.map((publisher) => ({ id: 'one', ...publisher })) ?? []);
    }
    if (incoming.method === 'PUT' && rejected.has(path.slice(1))) return answer(403, { error: 'rejected for a while' });
    const { method, headers } = incoming;
    // The error in npm's format.
    const conflict = { error: 'You cannot publish over the previously published versions.' };
    const onwards = request({ host: '127.0.0.1', port, path: incoming.url, method, headers }, (response) => {
      if (method === 'PUT' && response.statusCode === 201 && !path.startsWith('/-/')) published.push(path.slice(1));
      if (method === 'PUT' && response.statusCode === 409) return answer(403, conflict);
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onwards.on('error', () => answer(502, { error: 'Verdaccio is away' }));
    incoming.pipe(onwards);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;

  const isUp = () => fetch(`http://${address}/-/ping`).then(({ ok }) => ok);
  for (let tries = 0; !(await isUp()); tries += 1) {
    if (tries === 150 || child.exitCode !== null) throw new Error('Verdaccio did not start.');
    await sleep(200);
  }
  const login = await fetch(`http://${address}/-/user/org.couchdb.user:${user.name}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(user),
  });
  const { token } = (await login.json()) as { token: string };
  const userconfig = join(folder, 'npmrc');
  writeFileSync(userconfig, `registry=http://${address}/\n//${address}/:_authToken=${token}\n`);

  return {
    env: {
      ...process.env,
      npm_config_userconfig: userconfig,
      npm_config_registry: `http://${address}/`,
      npm_config_cache: join(folder, 'npm-cache'),
      npm_config_update_notifier: 'false',
    },
    trusted,
    rejected,
    published,
    async close() {
      proxy.close();
      proxy.closeAllConnections();
      child.kill();
      await exited;
    },
  };
};
