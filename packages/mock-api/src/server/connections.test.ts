import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from './listen.ts';
import type { ListenOptions } from './listen-options.ts';

const start = async (options: ListenOptions = {}) => {
  const mock = await listen(options);
  onTestFinished(() => mock.close());
  const port = Number(new URL(mock.baseUrl).port);
  /** Sends a text, and returns what the server sends until it closes the connection. */
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let got = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.setEncoding('utf8').on('data', (part) => {
        got += part;
      });
      socket.on('error', reject).on('close', () => resolve(got));
    });
  return { mock, raw };
};

test.each([
  ['bytes that are not HTTP', 'hello\r\n\r\n', 400, 'This is not a valid HTTP request.'],
  [
    'headers that are too large',
    `GET / HTTP/1.1\r\nx: ${'x'.repeat(70_000)}\r\n\r\n`,
    431,
    'The request headers are too large.',
  ],
  [
    'a request without Host',
    'GET /api/v1/me HTTP/1.1\r\nconnection: close\r\n\r\n',
    400,
    'This is not a valid HTTP request.',
  ],
])('responds to %s with an error in the envelope, and records it', async (_, text, status, error) => {
  const { mock, raw } = await start();
  const answer = await raw(text);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain('content-type: application/json');
  expect(JSON.parse(body)).toEqual({ status, error });
  expect(mock.journal.entries()).toMatchObject([{ status, method: /Host/.test(_) ? 'GET' : '-' }]);
  expect(mock.journal.total()).toBe(1);
});

test.each([
  ['CONNECT shop.example:443', '', 404, ['S-02', 'S-59', 'S-60', 'S-03']],
  ['GET /api/v1/me', 'expect: something\r\n', 401, ['S-59', 'S-60']],
])(
  'responds to %s in the envelope, and records it, though Node.js handles such requests itself',
  async (line, header, status, points) => {
    const { mock, raw } = await start();
    const answer = await raw(`${line} HTTP/1.1\r\nhost: x\r\n${header}connection: close\r\n\r\n`);
    expect(answer).toContain(`{"status":${status},"error":"`);
    const [entry] = mock.journal.entries();
    expect([entry?.status, entry?.violations.map(({ point }) => point)]).toEqual([status, points]);
  },
);

test('keeps running if a client resets a connection after CONNECT', async () => {
  const { mock } = await start();
  const errors: unknown[] = [];
  const keep = (error: unknown) => errors.push(error);
  process.on('uncaughtException', keep);
  onTestFinished(() => void process.off('uncaughtException', keep));
  const port = Number(new URL(mock.baseUrl).port);
  for (let n = 0; n < 50; n++)
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write('CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n', () =>
          setTimeout(() => socket.resetAndDestroy(), n % 3),
        );
      });
      socket.on('error', () => {}).on('close', () => resolve());
    });
  await mock.close();
  expect(errors).toEqual([]);
});

test('responds to an unreadable request with the error text from the settings', async () => {
  const { raw } = await start({ set: { errorText: 'Das ist keine gültige HTTP-Anfrage.' } });
  expect(await raw('hello\r\n\r\n')).toContain('Das ist keine gültige HTTP-Anfrage.');
});

test('sends a broken chunk with the status that the journal records', async () => {
  const { mock, raw } = await start();
  const answer = await raw('GET /api/v1/me HTTP/1.1\r\nhost: x\r\nx-mock-fault: badChunk\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1.1 401 Unauthorized\r\n/);
  expect(answer).toContain('transfer-encoding: chunked');
  expect(answer).not.toContain('content-length');
  expect(mock.journal.entries().at(-1)).toMatchObject({ status: 401, fault: 'badChunk' });
});

test('the pauses of a dripping response are within their range and depend on the seed', async () => {
  const { mock } = await start({ limit: 'off', seed: 5 });
  const waits: number[] = [];
  const { sleep } = mock.clock;
  mock.clock.sleep = (ms, signal) => {
    waits.push(ms);
    return sleep(0, signal);
  };
  const drip = async () => {
    waits.length = 0;
    const response = await fetch(`${mock.baseUrl}/me`, { headers: { 'x-mock-fault': 'drip;ms=10..500' } });
    await response.text();
    // It would differ from the clock of the mock.
    expect(response.headers.get('date')).toBeNull();
    return [...waits];
  };
  const first = await drip();
  expect(new Set(first).size).toBeGreaterThan(10);
  expect(Math.min(...first)).toBeGreaterThanOrEqual(10);
  expect(Math.max(...first)).toBeLessThanOrEqual(500);
  expect(await drip()).not.toEqual(first);
  mock.reset();
  expect(await drip()).toEqual(first);
});

test('ignores x-mock-fault if the control API is off', async () => {
  const { mock } = await start({ control: false });
  const response = await fetch(`${mock.baseUrl}/me`, { headers: { 'x-mock-fault': '503' } });
  expect(response.status).toBe(401);
  expect(mock.journal.entries()[0]?.fault).toBeUndefined();
});

test('lists Accept-Encoding in Vary if compression is on', async () => {
  const { mock } = await start({ limit: 'off', set: { compress: 'gzip' } });
  const vary = async (headers: Record<string, string>) =>
    (await fetch(`${mock.baseUrl}/me`, { headers })).headers.get('vary');
  expect([await vary({ 'accept-encoding': 'gzip' }), await vary({ 'accept-encoding': 'identity' })]).toEqual([
    'accept-encoding',
    'accept-encoding',
  ]);
  mock.faults.add({ kind: '503', headers: { Vary: 'origin' } });
  expect(await vary({})).toBe('origin, accept-encoding');
  mock.set({ compress: 'off' });
  expect(await vary({})).toBeNull();
});
