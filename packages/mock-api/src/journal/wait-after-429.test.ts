import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Agent, fetch as undiciFetch } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../fetch.ts';
import { createInnerMock } from '../mock.ts';
import { mockNetwork } from '../msw.ts';
import { listen, type MockServer } from '../server/listen.ts';

const early = (mock: Pick<MockServer, 'journal'>): number => mock.journal.violations().length;
const headersFor = (mock: Pick<MockServer, 'keys'>) => {
  return { authorization: `Bearer ${mock.keys.business}`, accept: 'application/json' };
};
const rawRequest = (mock: MockServer): string => {
  const lines = Object.entries({ ...headersFor(mock), host: 'localhost' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `GET /api/v1/me HTTP/1.1\r\n${lines.join('')}\r\n`;
};
const times = async (count: number, send: () => Promise<unknown>) => {
  for (let n = 0; n < count; n++) await send();
};
const atOnce = (count: number, send: () => Promise<unknown>) => Promise.all(Array.from({ length: count }, send));

/** Waits until the server has noticed that a client in this process closed its connection. */
const serverTurn = async () => {
  for (let n = 0; n < 5; n++) await setImmediate();
};

const start = async (agent: (options: http.AgentOptions) => http.Agent, keepAlive: boolean) => {
  const mock = await listen();
  const kept = agent({ keepAlive });
  onTestFinished(async () => {
    kept.destroy();
    await mock.close();
  });
  const send = () =>
    new Promise((resolve, reject) => {
      http
        .get(`${mock.baseUrl}/me`, { headers: headersFor(mock), agent: kept }, (answer) => {
          const over = keepAlive ? once(answer, 'end') : once(answer.socket, 'close');
          answer.resume();
          resolve(over.then(serverTurn));
        })
        .on('error', reject);
    });
  return { mock, send };
};
const nodeAgent = (options: http.AgentOptions) => new http.Agent(options);

test.each([true, false])('with `keepAlive: %s`, 65 concurrent requests violate no rule [S-84]', async (keepAlive) => {
  const { mock, send } = await start(nodeAgent, keepAlive);
  await atOnce(65, send);
  expect([mock.journal.total(), early(mock)]).toEqual([65, 0]);
});

test.each([true, false])(
  'with `keepAlive: %s`, a request is too early if the client has already read a 429 [S-84]',
  async (keepAlive) => {
    const { mock, send } = await start(nodeAgent, keepAlive);
    await times(63, send);
    expect(early(mock)).toBe(2);
  },
);

test.each([1, 2, 3])(
  "with `limit: %s`, a request of Node's fetch, which has several connections, is too early right after a 429 [S-84]",
  async (limit) => {
    for (const isRead of [true, false]) {
      const mock = await listen({ limit });
      onTestFinished(() => mock.close());
      await times(limit + 2, async () => {
        const response = await fetch(`${mock.baseUrl}/me`, { headers: headersFor(mock) });
        if (isRead) await response.text();
      });
      expect(early(mock)).toBe(1);
    }
  },
);

test('65 concurrent requests of fetch violate no rule [S-84]', async () => {
  const mock = await listen();
  onTestFinished(() => mock.close());
  const send = async () => (await fetch(`${mock.baseUrl}/me`, { headers: headersFor(mock) })).text();
  await times(3, () => atOnce(3, send));
  await atOnce(56, send);
  expect([mock.journal.total(), early(mock)]).toEqual([65, 0]);
});

test('a 429 counts as read after a second, even if its client keeps the connection open [S-84]', async () => {
  const mock = await listen({ limit: 1 });
  const agent = new Agent({ connections: 1 });
  const silent = net.connect({ port: Number(new URL(mock.baseUrl).port), host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(async () => {
    await agent.destroy();
    await mock.close();
    silent.destroy();
  });
  mock.clock.freeze(0);
  const send = async () =>
    (await undiciFetch(`${mock.baseUrl}/me`, { headers: headersFor(mock), dispatcher: agent })).text();
  await send();
  silent.write(rawRequest(mock));
  await once(silent, 'data');
  mock.clock.advance(999);
  await send();
  expect(early(mock)).toBe(0);
  mock.clock.advance(1);
  await send();
  expect(early(mock)).toBe(1);
});

test('a request one second after a 429 is too early, even on a connection opened before the 429 was read [S-84]', async () => {
  const mock = await listen({ limit: 1 });
  const idle = net.connect(Number(new URL(mock.baseUrl).port), '127.0.0.1');
  await once(idle, 'connect');
  const agent = new Agent({ connections: 1 });
  onTestFinished(async () => {
    idle.destroy();
    await mock.close();
  });
  const send = async () =>
    (await undiciFetch(`${mock.baseUrl}/me`, { headers: headersFor(mock), dispatcher: agent })).text();
  mock.clock.freeze(0);
  await times(2, send);
  await agent.destroy();
  await serverTurn();
  mock.clock.advance(3_000);
  idle.write(rawRequest(mock));
  await once(idle, 'data');
  expect(early(mock)).toBe(1);
});

test('a 429 that is sent late does not make requests before it too early [S-84]', async () => {
  const mock = await listen({ limit: 1 });
  onTestFinished(() => mock.close());
  const send = (init?: RequestInit) => fetch(`${mock.baseUrl}/me`, { headers: headersFor(mock), ...init });
  mock.clock.freeze(0);
  await (await send()).text();
  mock.faults.add('delay;ms=5000');
  const late = send();
  await mock.journal.waitFor({}, { count: 2 });
  mock.clock.advance(4_999);
  await (await send()).text();
  expect(early(mock)).toBe(0);
  mock.clock.advance(1);
  expect((await late).status).toBe(429);
});

test('a 429 whose client gives up before it is sent requires no wait [S-84]', async () => {
  const mock = createMock({ limit: 1, frozenAt: 0 });
  mock.clock.resume();
  const send = (init?: RequestInit) => mock.fetch('/api/v1/me', { headers: headersFor(mock), ...init });
  await send();
  mock.faults.add('delay;ms=5000');
  const gone = new AbortController();
  const late = send({ signal: gone.signal });
  gone.abort();
  await expect(late).rejects.toThrow();
  mock.clock.advance(20_000);
  await send();
  expect(early(mock)).toBe(0);
});

test('the wait lasts 60 s from the first of several concurrent 429s [S-82 S-84]', () => {
  for (const [ms, status, count] of [
    [59_999, 429, 1],
    [60_000, 200, 0],
  ] as const) {
    const mock = createInnerMock({ limit: 1, frozenAt: 0 });
    const connections = [mock.connect(), mock.connect(), mock.connect()];
    const rawHeaders = Object.entries(headersFor(mock)).flat();
    const send = (n: number) =>
      mock.answer({ method: 'GET', target: '/api/v1/me', rawHeaders, secure: false }, connections[n]).response.status;
    expect([send(0), send(1)]).toEqual([200, 429]);
    mock.clock.advance(500);
    expect(send(2)).toBe(429);
    mock.clock.advance(ms - 500);
    expect(send(1)).toBe(status);
    expect(early(mock)).toBe(count);
  }
});

test('Mock.fetch distinguishes concurrent from sequential requests [S-84]', async () => {
  const mock = createMock();
  const send = () => mock.fetch('/api/v1/me', { headers: headersFor(mock) });
  await atOnce(65, send);
  expect(early(mock)).toBe(0);
  await send();
  expect(early(mock)).toBe(1);
});

test('65 concurrent requests through msw violate no rule [S-84]', async () => {
  const mock = createMock();
  const network = mockNetwork(mock, 'https://shop.example.test/api/v1');
  await network.enable();
  onTestFinished(() => network.disable());
  await atOnce(65, () => fetch('https://shop.example.test/api/v1/me', { headers: headersFor(mock) }));
  expect([mock.journal.total(), early(mock)]).toEqual([65, 0]);
});

test('a request for / or the favicon violates no rule unless it has a key', async () => {
  const mock = createMock();
  const points = async (path: string, init?: RequestInit) => {
    await mock.fetch(path, init);
    return mock.journal.entries().at(-1)?.violations.length;
  };
  expect([await points('/'), await points('/?x'), await points('/favicon.ico')]).toEqual([0, 0, 0]);
  expect(await points('/', { method: 'HEAD' })).toBe(0);
  expect(await points('/', { headers: headersFor(mock) })).toBe(1);
  expect(await points('/', { method: 'POST' })).toBeGreaterThan(0);
  expect(await points('/other')).toBeGreaterThan(0);
});

test.each([
  [10_000, 'The rate limit is exceeded. Try again in 10 seconds.'],
  [1, 'The rate limit is exceeded. Try again in 1 second.'],
])('the error text of a 429 states a wait of %s ms in seconds [S-80]', async (windowMs, sentence) => {
  const mock = createMock({ limit: 1, windowMs, frozenAt: 0 });
  const send = async () => (await mock.fetch('/api/v1/me', { headers: headersFor(mock) })).json();
  await send();
  expect(await send()).toEqual({ status: 429, error: sentence });
});
