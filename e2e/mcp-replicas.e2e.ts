import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type JournalEntry, listen } from '../packages/mock-api/src/index.ts';
import { type HttpProcess, startBuiltServer } from './mcp/built-server.ts';
import { postToolCall } from './mcp/post-tool-call.ts';
import { findProgram } from './redis/debian-package.ts';
import { type RedisServer, startRedis } from './redis/redis-server.ts';

const program = findProgram('redis-server');
if (!program) throw new Error("redis-server was found neither on the PATH nor among this system's packages.");
let redis: RedisServer;

beforeAll(async () => {
  redis = await startRedis(program);
});
afterAll(() => redis?.kill());

/** Starts two servers in front of one mock. The servers share only Redis. */
const startReplicas = async (options: Parameters<typeof listen>[0] = {}, store = redis.url) => {
  const mock = await listen(options);
  const env = {
    ORDER_LICENSE_BASE_URL: mock.baseUrl,
    ORDER_LICENSE_API_KEY: mock.keys.business,
    ORDER_LICENSE_STORE: store,
  };
  const replicas = await Promise.all([startBuiltServer(env), startBuiltServer(env)]);
  onTestFinished(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await mock.close();
  });
  return { mock, replicas };
};

interface Outcome {
  /** The HTTP status. */
  status: number;
  /** The result for the caller: `answer`, `busy` or the tool's error code. */
  said: string;
}

/** Makes one tool call. */
const callTool = async ({ url }: HttpProcess, name: string): Promise<Outcome> => {
  const response = await postToolCall(url, name);
  const body = await response.text();
  const { result, error } = JSON.parse(/^data: (\{.*)$/m.exec(body)?.[1] ?? body) as {
    result?: { isError?: boolean; structuredContent?: object; content: [{ text: string }] };
    error?: { message: string };
  };
  if (error) return { status: response.status, said: response.status === 503 ? 'busy' : error.message };
  if (result?.isError) return { status: response.status, said: result.content[0].text.split(':')[0] ?? '' };
  return { status: response.status, said: result?.structuredContent ? 'answer' : 'nothing' };
};

const count = (outcomes: Outcome[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, said } of outcomes) counts[`${status} ${said}`] = (counts[`${status} ${said}`] ?? 0) + 1;
  return counts;
};

/** Returns the maximum number of requests that arrived within 60 s. */
const maxInAMinute = (entries: JournalEntry[]): number =>
  Math.max(...entries.map((from) => entries.filter(({ at }) => at >= from.at && at < from.at + 60_000).length));

test('two replicas with one Redis send 60 requests a minute in total without a 429 [S-78 U-37]', async () => {
  const { mock, replicas } = await startReplicas();
  const outcomes: Outcome[] = [];
  const end = performance.now() + 70_000;
  /** Calls a tool again and again for 70 s. After a rejection, waits a second. */
  const ask = async (replica: HttpProcess) => {
    while (performance.now() < end) {
      const outcome = await callTool(replica, 'order_license_get_me');
      outcomes.push(outcome);
      if (outcome.said !== 'answer') await setTimeout(1_000);
    }
  };
  await Promise.all(replicas.flatMap((replica) => [ask(replica), ask(replica)]));
  const counts = count(outcomes);
  const entries = mock.journal.entries();
  console.log(`Two replicas, 70 s: ${JSON.stringify(counts)}; the API got ${entries.length} requests.`);
  expect(Object.keys(counts).toSorted()).toEqual(['200 answer', '200 rate_limited']);
  expect(entries.map(({ status }) => status)).toEqual(Array.from({ length: counts['200 answer'] ?? 0 }, () => 200));
  expect(entries.length).toBeGreaterThan(60);
  expect(maxInAMinute(entries)).toBe(60);
  expect(mock.journal.violations()).toEqual([]);
});

test('two replicas that count separately cause the 429 that Redis prevents [U-37]', async () => {
  const { mock, replicas } = await startReplicas({}, 'memory');
  for (let calls = 0; calls < 40; calls++) {
    await Promise.all(replicas.map((replica) => callTool(replica, 'order_license_get_me')));
  }
  expect(mock.journal.entries().map(({ status }) => status)).toContain(429);
});

test('1,000 concurrent calls over two replicas each get a result or a rejection [S-78]', async () => {
  const { mock, replicas } = await startReplicas({ limit: 'off', latency: 20 });
  const health = (replica: HttpProcess) => fetch(new URL('/healthz', replica.url)).then(({ status }) => status);
  const calls = Array.from({ length: 1_000 }, (_, i) =>
    callTool(replicas[i % 2] as HttpProcess, 'order_license_get_me'),
  );
  const outcomes = await Promise.all(calls);
  const counts = count(outcomes);
  console.log(`1,000 calls at once: ${JSON.stringify(counts)}`);
  const { '200 answer': answered = 0, '200 rate_limited': limited = 0, '503 busy': busy = 0 } = counts;
  expect(answered + limited + busy).toBe(1_000);
  expect(mock.journal.total()).toBe(answered);
  expect(answered).toBe(60);
  expect(await Promise.all(replicas.map(health))).toEqual([200, 200]);
  for (const replica of replicas) expect(replica.printed()).not.toContain(mock.keys.business);
});
