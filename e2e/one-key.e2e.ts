import { expect, test } from 'vitest';
import { describeShares } from '../tests/soak/minutes/describe.ts';
import { runMinutes } from '../tests/soak/minutes/minutes.ts';
import { startRealN8n } from './n8n/at-full-use.ts';
import { findServers, startRedis } from './redis/redis-server.ts';

const redisProgram = findServers().get('redis-server');
const minutes = 5;

test.runIf(redisProgram)(
  'MCP servers and programs that share Redis, and n8n with its own part of the limit, get correct results without a 429 or starvation [S-78 U-37]',
  async () => {
    if (!redisProgram) return;
    const { url, kill } = await startRedis(redisProgram);
    const { signal } = new AbortController();
    const store = { kind: 'redis', url } as const;
    const report = await runMinutes(minutes, store, signal, () => undefined, startRealN8n).finally(kill);
    console.log(describeShares(report, minutes).join('\n'));
    expect(report.problems).toEqual([]);
    expect(report.service.mostInAMinute).toBeGreaterThan(55);
  },
  (minutes + 5) * 60_000,
);
