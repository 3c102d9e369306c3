import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough, Writable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createStdioTransport } from './stdio-transport.ts';

const pingOf = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
const ping = pingOf(7);
const answer = { jsonrpc: '2.0', id: 7, result: {} } as const;

/** Connects a transport to streams of this test. Its requests get no responses. */
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

test('a request that takes more than 10 s after stdin ended gets an error that names this cause', async () => {
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

/** Connects a transport to streams of this test, and responds to its requests. `next` returns the next response. */
const startAnswering = async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const transport = createStdioTransport(stdin, stdout);
  transport.onmessage = (message) => void ('id' in message && transport.send({ ...answer, id: message.id as number }));
  await transport.start();
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return { stdin, next: async () => JSON.parse(String((await lines.next()).value)) };
};

test.each([{}, { params: null }, { params: [] }, { params: {} }])('ignores an empty cancellation: %j', async (more) => {
  const { stdin, next } = await startAnswering();
  stdin.end(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', ...more })}\n${ping}\n`);
  expect(await next()).toEqual(answer);
});

const badId = expect.stringContaining('The ID of a request');
test.each([
  ['invalid JSON', '{nonsense', -32_700, 'The line is not JSON; send one message per line.', null],
  ['a batch', `[${ping}]`, -32_600, expect.stringContaining('Batches are not supported'), null],
  ['an ID of null', pingOf(null), -32_600, badId, null],
  ['a broken ID', pingOf(1.5), -32_600, badId, null],
  ['an object as ID', pingOf({}), -32_600, badId, null],
  ['only a number', '7', -32_600, 'This is not a JSON-RPC 2.0 message.', null],
  ['no JSON-RPC version', '{"id":"a","method":"ping"}', -32_600, expect.any(String), 'a'],
  ['a list of parameters', ping.replace('}', ',"params":[1]}'), -32_600, expect.any(String), 7],
])('returns an error for a line with %s, and continues', async (_name, line, code, message, id) => {
  const { stdin, next } = await startAnswering();
  stdin.write(`${line}\n${pingOf(2)}\n`);
  expect(await next()).toEqual({ jsonrpc: '2.0', id, error: { code, message } });
  expect(await next()).toMatchObject({ id: 2, result: {} });
});

test('accepts a byte order mark, carriage returns, empty lines and characters split between two chunks', async () => {
  const { stdin, next } = await startAnswering();
  const bytes = Buffer.from(`\ufeff\r\n${pingOf(1)}\r\n\n${pingOf('\u00e4')}\n`);
  const middle = bytes.indexOf(0xc3) + 1;
  stdin.write(bytes.subarray(0, middle));
  expect(await next()).toMatchObject({ id: 1 });
  stdin.write(bytes.subarray(middle));
  expect(await next()).toMatchObject({ id: '\u00e4' });
});

test('escapes Unicode line separators, where some clients, such as those with `readline`, end a line', async () => {
  const { stdin, next } = await startAnswering();
  stdin.write(`${pingOf('a\u2028b\u2029c\u0085d')}\n`);
  expect(await next()).toMatchObject({ id: 'a\u2028b\u2029c\u0085d', result: {} });
});

test('leaves no timer if the last line gets its response at once', async () => {
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
