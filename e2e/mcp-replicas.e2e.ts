import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../packages/mock-api/src/index.ts';
import { startBuiltServer } from './mcp/built-server.ts';
import { postToolCall } from './mcp/post-tool-call.ts';
import { findProgram } from './redis/debian-package.ts';
import { startRedis } from './redis/redis-server.ts';

/** Calls a tool. @returns `answer`, `busy`, or the code of the tool's error */
const callTool = async (url: string): Promise<string> => {
  const response = await postToolCall(url, 'order_license_get_me');
  if (response.status === 503) return 'busy';
  const body = await response.text();
  const { result } = JSON.parse(/^data: (\{.*)$/m.exec(body)?.[1] ?? body) as {
    result: { isError?: boolean; content: [{ text: string }] };
  };
  return result.isError ? (result.content[0].text.split(':')[0] ?? '') : 'answer';
};

test('of 1,000 concurrent calls over two replicas that share only Redis, each gets a result or a rejection, and the API gets 60 requests [S-78 U-37]', async () => {
  const program = findProgram('redis-server');
  if (!program) throw new Error("redis-server was found neither on the PATH nor among this system's packages.");
  const redis = await startRedis(program);
  const mock = await listen({ limit: 'off', latency: 20 });
  const env = {
    ORDER_LICENSE_BASE_URL: mock.baseUrl,
    ORDER_LICENSE_API_KEY: mock.keys.business,
    ORDER_LICENSE_STORE: redis.url,
  };
  const replicas = await Promise.all([startBuiltServer(env), startBuiltServer(env)]);
  onTestFinished(async () => {
    await Promise.all([...replicas.map((replica) => replica.stop()), redis.kill(), mock.close()]);
  });
  const urls = replicas.map(({ url }) => url);
  const said = await Promise.all(Array.from({ length: 500 }, () => urls.map(callTool)).flat());
  const counts = Object.fromEntries(Array.from(Map.groupBy(said, String), ([word, all]) => [word, all.length]));
  console.log(`1,000 calls at once: ${JSON.stringify(counts)}`);
  const { answer = 0, rate_limited = 0, busy = 0 } = counts;
  expect([answer, answer + rate_limited + busy]).toEqual([60, 1_000]);
  expect(mock.journal.total()).toBe(60);
  const health = await Promise.all(urls.map((url) => fetch(new URL('/healthz', url))));
  expect(health.map(({ status }) => status)).toEqual([200, 200]);
  for (const replica of replicas) expect(replica.printed()).not.toContain(mock.keys.business);
});
