import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ClientEvent } from '../packages/core/src/base/events.ts';
import { client } from '../packages/core/src/pace/redis-client.fixture.ts';
import { createRedisStore } from '../packages/core/src/pace/redis-store.ts';
import { certificateFiles } from '../packages/testing/src/certificate.ts';
import { freePort } from '../packages/testing/src/free-port.ts';
import { temporaryFolder } from '../packages/testing/src/temporary-folder.ts';
import { findServers, type RedisServer, send, startRedis } from './redis/redis-server.ts';

const service = { baseUrl: 'https://shop.example/api/v1', apiKey: 'canary-key-0c7f1d' };

/** Creates a store, and returns a function that takes a permit and returns the problems and returns since the last one. */
const start = (redis: string) => {
  const events: ClientEvent[] = [];
  let lateMs = 0;
  const now = () => performance.now() + lateMs;
  const store = createRedisStore({ ...service, redis, client, now, onEvent: (event) => events.push(event) });
  onTestFinished(() => store.close());
  return async () => {
    await store.take();
    lateMs += 5_000; // a lost store is then tried again
    return events
      .splice(0)
      .map((event) => (event.type === 'store_unavailable' ? event.problem : event.type.replace('store_', '')));
  };
};

const needed = ['~order-license:*', '+eval', '+get', '+set', '+time'];
const rights =
  /^Redis: (NOPERM|ERR); the user needs the rights `~order-license:\* \+eval \+get \+set \+time`, and `\+select`/;

describe.each([...findServers()])('%s', (_name, program) => {
  let server: RedisServer;
  const addressOf = (login: string, database = '') => server.url.replace('//', `//${login}@`) + database;
  const addUser = (name: string, ...granted: string[]) =>
    send(server.url, 'ACL', 'SETUSER', name, 'reset', 'on', '>p@ss', ...granted);

  beforeAll(async () => {
    server = await startRedis(program);
  });
  afterAll(() => server.kill());

  test('works for an ACL user with exactly the documented rights', async () => {
    await addUser('exact', ...needed);
    expect(await start(addressOf('exact:p%40ss').replace('redis', 'valkey'))()).toEqual([]);
    expect(await start(addressOf('exact:p%40ss', '/1'))()).toEqual([expect.stringMatching(rights)]);
    await addUser('exact', ...needed, '+select');
    expect(await start(addressOf('exact:p%40ss', '/1'))()).toEqual([]);
  });

  test.each(needed)('names the rights if an ACL user lacks %s', async (missing) => {
    await addUser('limited', ...needed.filter((right) => right !== missing));
    expect(await start(addressOf('limited:p%40ss'))()).toEqual([expect.stringMatching(rights)]);
  });

  test('says that a password is wrong, missing or not expected', async () => {
    await addUser('known', ...needed);
    for (const login of ['known:wrong', ':needless']) {
      expect(await start(addressOf(login))()).toEqual([
        expect.stringMatching(/the user name or the password is wrong/),
      ]);
    }
    const locked = await startRedis(program);
    onTestFinished(() => locked.kill());
    await send(locked.url, 'CONFIG', 'SET', 'requirepass', 'secret');
    expect(await start(locked.url)()).toEqual([expect.stringMatching(/^Redis: NOAUTH; .* missing/)]);
  });

  test('says that a database does not exist', async () => {
    expect(await start(`${server.url}/99`)()).toEqual(['Redis: ERR; this Redis has no database with this number']);
  });

  test('says that a failover has left a replica, and continues once it is promoted', async () => {
    const folder = ['--dir', temporaryFolder()]; // a replica saves what it receives
    const [one, other] = [await startRedis(program, folder), await startRedis(program, folder)];
    onTestFinished(() => Promise.all([one.kill(), other.kill()]).then(() => undefined));
    const take = start(one.url);
    expect(await take()).toEqual([]);
    await send(one.url, 'REPLICAOF', '127.0.0.1', new URL(other.url).port);
    await expect.poll(() => send(one.url, 'INFO', 'replication')).toContain('master_link_status:up');
    expect(await take()).toEqual(['Redis: READONLY; this Redis is a replica; use the address of the primary']);
    await send(one.url, 'REPLICAOF', 'NO', 'ONE');
    expect(await take()).toEqual(['available']);
    expect(await take()).toEqual([]);
  });

  test('says that the address is that of one node of a cluster', async () => {
    const folder = temporaryFolder();
    const cluster = async (name: string) => {
      const options = ['--cluster-enabled', 'yes', '--cluster-config-file', join(folder, name)];
      const node = await startRedis(program, [...options, '--cluster-port', String(await freePort())]);
      onTestFinished(() => node.kill());
      return node;
    };
    const [empty, full] = [await cluster('empty'), await cluster('full')];
    expect(await start(empty.url)()).toEqual([expect.stringMatching(/^Redis: CLUSTERDOWN; .* one node of a cluster/)]);
    await send(full.url, 'CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    const bus = String(await send(full.url, 'CONFIG', 'GET', 'cluster-port')).split(',')[1] ?? '';
    await send(empty.url, 'CLUSTER', 'MEET', '127.0.0.1', new URL(full.url).port, bus);
    await expect.poll(() => send(empty.url, 'CLUSTER', 'INFO')).toContain('cluster_state:ok');
    expect(await start(empty.url)()).toEqual([
      expect.stringMatching(/^Redis: MOVED; .* use a Redis without a cluster/),
    ]);
    expect(await start(`${empty.url}/1`)()).toEqual([expect.stringMatching(/^Redis: ERR; .* one node of a cluster/)]);
  });

  test('says which scheme to try if only one side uses TLS, and how to trust a certificate', async () => {
    const { tlsCert, tlsKey } = await certificateFiles();
    const port = String(await freePort());
    const options = ['--tls-port', port, '--tls-cert-file', tlsCert, '--tls-key-file', tlsKey];
    const secure = await startRedis(program, [...options, '--tls-ca-cert-file', tlsCert, '--tls-auth-clients', 'no']);
    onTestFinished(() => secure.kill());
    expect(await start(`redis://127.0.0.1:${port}`)()).toEqual([expect.stringMatching(/try `rediss:\/\/`$/)]);
    expect(await start(secure.url.replace('redis', 'rediss'))()).toEqual([expect.stringMatching(/try `redis:\/\/`$/)]);
    const untrusted = await start(`valkeys://127.0.0.1:${port}`)();
    expect(untrusted).toEqual([expect.stringMatching(/SELF_SIGNED_CERT; .*NODE_USE_SYSTEM_CA=1/)]);
    expect(doctor(`valkeys://127.0.0.1:${port}`, tlsCert)).toBe(`ok    store: Redis at 127.0.0.1:${port}`);
  });
});

/** Runs the doctor of the built MCP server, which trusts this certificate. Returns its line about the store. */
const doctor = (store: string, certificate: string) => {
  const cli = fileURLToPath(new URL('../packages/mcp-server/dist/cli.js', import.meta.url));
  const env = {
    ORDER_LICENSE_BASE_URL: 'http://127.0.0.1:9/api/v1',
    ORDER_LICENSE_ACCESS_TOKEN: 'a-token-of-this-server',
    ORDER_LICENSE_STORE: store,
    NODE_EXTRA_CA_CERTS: certificate,
  };
  const { stdout } = spawnSync(process.execPath, [cli, 'doctor', 'http', '--port', '0'], { env, encoding: 'utf8' });
  return stdout.split('\n').find((line) => line.includes(' store: '));
};
