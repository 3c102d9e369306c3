import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { started } from '../test-client.fixture.ts';

test('sends a broken chunk with the status that the journal records', async () => {
  const mock = await started();
  const socket = connect(Number(new URL(mock.baseUrl).port), '127.0.0.1').setEncoding('utf8');
  socket.write('GET /api/v1/me HTTP/1.1\r\nhost: x\r\nx-mock-fault: badChunk\r\n\r\n');
  let answer = '';
  for await (const part of socket) answer += part;
  expect(answer).toMatch(/^HTTP\/1.1 401 Unauthorized\r\n/);
  expect(answer).toContain('transfer-encoding: chunked');
  expect(answer).not.toContain('content-length');
  expect(mock.journal.entries().at(-1)).toMatchObject({ status: 401, fault: 'badChunk' });
});

test('the pauses of a dripping response are within their range and depend on the seed', async () => {
  const mock = await started({ limit: 'off', seed: 5 });
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
  const mock = await started({ control: false });
  const response = await fetch(`${mock.baseUrl}/me`, { headers: { 'x-mock-fault': '503' } });
  expect([response.status, mock.journal.entries()[0]?.fault]).toEqual([401, undefined]);
});

test('lists Accept-Encoding in Vary if compression is on', async () => {
  const mock = await started({ limit: 'off', set: { compress: 'gzip' } });
  const vary = async (headers: Record<string, string>) =>
    (await fetch(`${mock.baseUrl}/me`, { headers })).headers.get('vary');
  for (const coding of ['gzip', 'identity']) expect(await vary({ 'accept-encoding': coding })).toBe('accept-encoding');
  mock.faults.add({ kind: '503', headers: { Vary: 'origin' } });
  expect(await vary({})).toBe('origin, accept-encoding');
  mock.set({ compress: 'off' });
  expect(await vary({})).toBeNull();
});
