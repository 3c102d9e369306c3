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
