import { expect, test } from 'vitest';
import { post, rpc, serve } from '../testing/http-session.fixture.ts';
import { slowService } from '../testing/slow-service.fixture.ts';
import { createCallSlots } from './call-slots.ts';
import { isCall } from './mcp-handler.ts';

const call = rpc('tools/call', { name: 'order_license_get_me', arguments: {} });

/** Starts a server in front of an API that does not respond yet. */
const serveSlow = async (flags: string[] = []) => {
  const service = await slowService();
  const { url } = await serve({ ORDER_LICENSE_BASE_URL: service.baseUrl }, flags);
  return {
    service,
    ask: (key: string | undefined, body = call) => post(url, key ? { 'x-order-license-key': key } : {}, body),
  };
};

/** Resolves to the first `count` responses. */
const first = <T>(answers: Promise<T>[], count: number) =>
  new Promise<T[]>((resolve) => {
    const got: T[] = [];
    for (const answer of answers)
      answer.then(
        (one) => got.push(one) === count && resolve([...got]),
        () => undefined,
      );
  });

test('rejects the ninth concurrent call from one caller, with advice', async () => {
  const { service, ask } = await serveSlow();
  const calls = Array.from({ length: 10 }, () => ask('key-of-one'));
  for (const { status, headers, text } of await first(calls, 2)) {
    expect([status, headers['retry-after']]).toEqual([429, '1']);
    expect(JSON.parse(text)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32000,
        message: expect.stringMatching(
          /^This caller has the maximum number of calls in progress \(8\)\..* --max-per-caller\.$/,
        ),
      },
    });
  }
  // Callers with a different key, or without a key, are not affected.
  const others = [ask('key-of-another'), ask(undefined)];
  service.answerAll();
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await Promise.all(calls)).filter(({ status }) => status === 200)).toHaveLength(8);
  expect((await ask('key-of-one')).status).toBe(200);
});

test('only tool calls take a slot', async () => {
  const { service, ask } = await serveSlow(['--max-per-caller', '1']);
  const running = ask('key-of-one');
  await service.came;
  expect((await ask('key-of-one')).status).toBe(429);
  const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } };
  for (const body of [rpc('tools/list'), rpc('prompts/list'), rpc('ping'), rpc('initialize', client)]) {
    expect((await ask('key-of-one', body)).status).toBe(200);
  }
  service.answerAll();
  expect((await running).status).toBe(200);
});

test("reading license codes with a ticket takes a slot, however the ticket's URI is written", () => {
  const read = (uri: unknown) => isCall({ method: 'resources/read', params: { uri } });
  const tickets = [
    'order-license://keys/7',
    'ORDER-LICENSE://keys/7',
    ' order-license://keys/7',
    'or\nder-license://keys/7',
  ];
  expect(tickets.map(read)).toEqual([true, true, true, true]);
  expect(['ui://order-license/order-card.html', 'keys', 7, null, { toString: null }].map(read)).toEqual(
    Array(5).fill(false),
  );
});

test('callers without their own key leave 8 of the 64 slots to the others', async () => {
  const { service, ask } = await serveSlow();
  const calls = Array.from({ length: 60 }, () => ask(undefined));
  for (const { status, headers, text } of await first(calls, 4)) {
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(text).error.message).toMatch(
      /^Callers without their own API key .* \(56\)\. .* send your own API key as X-Order-License-Key\.$/,
    );
  }
  const other = ask('key-of-one');
  service.answerAll();
  expect((await other).status).toBe(200);
  expect((await Promise.all(calls)).filter(({ status }) => status === 200)).toHaveLength(56);
});

test('has 64 slots, and reuses a slot once it is released', () => {
  const take = createCallSlots(8);
  const calls = Array.from({ length: 64 }, () => new AbortController());
  for (const [i, { signal }] of calls.entries()) take(`key-${i % 8}`, signal);
  const takeOne = () => take('key-of-another', new AbortController().signal);
  const isFull = expect.objectContaining({ status: 503, message: expect.stringContaining('(64)') });
  expect(takeOne).toThrow(isFull);
  calls[0]?.abort();
  calls[0]?.abort();
  expect(takeOne).not.toThrow();
  expect(takeOne).toThrow(isFull);
  // The next client has closed its connection before a slot is taken.
  calls[1]?.abort();
  expect(() => take('key-of-another', AbortSignal.abort())).toThrow('aborted');
  expect(takeOne).not.toThrow();
});
