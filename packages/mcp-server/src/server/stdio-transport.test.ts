import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createStdioTransport } from './stdio-transport.ts';

const ping = '{"jsonrpc":"2.0","id":7,"method":"ping"}';
const answer = { jsonrpc: '2.0', id: 7, result: {} } as const;

/** Connects a transport to streams of this test. Nothing answers its requests. */
const start = async <Output extends Writable>(stdout: Output) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const stdin = new PassThrough();
  const transport = createStdioTransport(stdin, stdout);
  let isClosed = false;
  transport.onclose = () => {
    isClosed = true;
  };
  await transport.start();
  /** Sends requests, the last one without a line break. */
  const endWithRequests = async (count = 1): Promise<void> => {
    stdin.end(Array(count).fill(ping).join('\n'));
    await once(stdin, 'close');
  };
  return { transport, stdout, endWithRequests, isClosed: () => isClosed };
};

/** Output that is written only when the test calls `release`, because its reader does not read. */
const unreadOutput = () => {
  const waiting: (() => void)[] = [];
  const stdout = new Writable({ write: (_chunk, _encoding, done) => waiting.push(done) });
  return Object.assign(stdout, { release: () => waiting.shift()?.() });
};

test('answers a request with an error that says so if it takes more than 10 s after stdin ended', async () => {
  const { stdout, endWithRequests, isClosed } = await start(new PassThrough());
  await endWithRequests();
  await vi.advanceTimersByTimeAsync(9_999);
  expect([isClosed(), stdout.read()]).toEqual([false, null]);
  await vi.advanceTimersByTimeAsync(1);
  expect(isClosed()).toBe(true);
  expect(JSON.parse(String(stdout.read()))).toEqual({
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32_000, message: expect.stringMatching(/^stdin ended, .* within 10 s\. Keep stdin open/) },
  });
});

test.each([{}, { params: null }, { params: [] }, { params: {} }])(
  'ignores a cancellation that names no request (%j)',
  async (more) => {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const transport = createStdioTransport(stdin, stdout);
    transport.onmessage = (message) => void ('id' in message && transport.send(answer));
    await transport.start();
    stdin.end(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', ...more })}\n${ping}\n`);
    expect(JSON.parse(String(await once(stdout, 'data')))).toEqual(answer);
  },
);

test('closes at once if the client closes stdout, even if a request is open', async () => {
  const { stdout, endWithRequests, isClosed } = await start(new PassThrough());
  await endWithRequests();
  stdout.destroy(new Error('EPIPE'));
  await vi.waitFor(() => expect(isClosed()).toBe(true));
});

test('leaves no timer behind if the last line is answered at once', async () => {
  const { transport, endWithRequests, isClosed } = await start(new PassThrough());
  transport.onmessage = () => void transport.send(answer);
  await endWithRequests();
  await vi.waitFor(() => expect(isClosed()).toBe(true));
  expect(vi.getTimerCount()).toBe(0);
});

test('closes when the last response has been written, not before', async () => {
  const { transport, stdout, endWithRequests, isClosed } = await start(unreadOutput());
  await endWithRequests(2);
  const sent = [transport.send(answer), transport.send(answer)];
  stdout.release(); // the empty text that finds out whether the client is gone
  stdout.release();
  await sent[0];
  expect(isClosed()).toBe(false);
  stdout.release();
  await sent[1];
  expect(isClosed()).toBe(true);
});

test('ends the process 10 s after stdin ended if the client does not read stdout', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  onTestFinished(() => exit.mockRestore());
  const { transport, endWithRequests } = await start(unreadOutput());
  await endWithRequests();
  void transport.send(answer);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(exit).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(exit).toHaveBeenCalledOnce();
});
