import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../packages/mock-api/src/index.ts';
import { createHome } from './n8n/home.ts';
import { startServer } from './n8n/server.ts';
import { behindWebhook, orderLicense } from './n8n/workflows.ts';
import { findServers, startRedis } from './redis/redis-server.ts';

const redisProgram = findServers().get('redis-server');
const orders = 1_990;

/** Returns the maximum number of requests that arrived within 60 s. Times are in ms. */
const maxInAMinute = (times: number[]): number =>
  Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + 60_000).length));

test.runIf(redisProgram)(
  'two queue-mode workers with 30 requests a minute each share one key without a 429 [S-78 U-37]',
  async () => {
    if (!redisProgram) return;
    const mock = await listen({ orders });
    const redis = await startRedis(redisProgram);
    const home = createHome();
    onTestFinished(async () => {
      await redis.kill();
      home.remove();
      await mock.close();
    });
    await home.importCredential({ baseUrl: mock.baseUrl, apiKey: mock.keys.business, requestsPerMinute: 30 });
    const all = orderLicense('all', { resource: 'order', operation: 'listOrders', returnAll: true });
    await home.importWorkflows([behindWebhook('queued', all)]);
    await home.run('publish:workflow', '--id', 'queued');

    const env = {
      EXECUTIONS_MODE: 'queue',
      QUEUE_BULL_REDIS_HOST: '127.0.0.1',
      QUEUE_BULL_REDIS_PORT: new URL(redis.url).port,
    };
    const startWorker = () =>
      startServer(home, { words: ['worker', '--concurrency=1'], ready: 'worker is now ready', env });
    const main = await startServer(home, { env });
    onTestFinished(main.stop);
    const workers = [await startWorker(), await startWorker()];
    for (const worker of workers) onTestFinished(worker.stop);

    const call = async () => (await (await fetch(`${main.url}/webhook/queued`)).json()) as { orderId: number }[];
    const answers = await Promise.all([call(), call()]);

    for (const items of answers) expect(new Set(items.map(({ orderId }) => orderId)).size).toBe(orders);
    for (const worker of workers) expect(worker.log().match(/Worker started execution/g)).toHaveLength(1);
    const requests = mock.journal.entries();
    expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
    expect(requests).toHaveLength(80);
    // Each worker reserves 4 of its 30 requests for people.
    expect(maxInAMinute(requests.map(({ at }) => at))).toBe(52);
  },
  400_000,
);
