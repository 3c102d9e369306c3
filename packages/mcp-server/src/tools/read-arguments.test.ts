import { createClient } from '@order-license/core';
import { listen } from '@order-license/mock-api';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { askDirectly, callTool, type Session, startSession } from '../testing/mcp-session.fixture.ts';

type Args = Record<string, unknown>;
type Variants = readonly ((value: unknown) => unknown)[];

/** Starts a server in this process, with a mock whose clock stands still, so that equal calls have equal answers. */
const start = async (): Promise<Session> => {
  const mock = await listen({ limit: 'off', frozenAt: Date.UTC(2026, 6, 1) });
  onTestFinished(() => mock.close());
  const { baseUrl, keys } = mock;
  const client = await connectInProcess(async () =>
    createClient({ baseUrl, apiKey: keys.business, rateLimit: { requests: 100_000, minGapMs: 0 } }),
  );
  return { mock, client, call: (name, args) => callTool(client, name, args) };
};

const same = (value: unknown): unknown => value;
const asText: Variants = [same, (value) => ` ${value} `];
const asId: Variants = [same, String, (value) => `${value}.0`, (value) => ` ${value}`];
const asNumber: Variants = [same, String, (value) => ` ${value} `, (value) => `${value}.00`];
const asFlag: Variants = [same, String, (value) => String(value).toUpperCase(), (value) => ` ${value} `];
const asList: Variants = [
  same,
  (value) => JSON.stringify(value),
  (value) => ` ${JSON.stringify(value, null, 1)}`,
  (value) => (value as unknown[]).join(', '),
  (value) => `,${(value as unknown[]).join(',,')},`,
  (value) => (value as unknown[]).map(String),
  (value) => [(value as unknown[]).join(',')],
  (value) => [null, ...(value as unknown[]), ' '],
  (value) => JSON.stringify(['', ...(value as unknown[]), null]),
  (value) => ((value as unknown[]).length === 1 ? (value as unknown[])[0] : value),
];
const empty: Variants = [() => undefined, () => null, () => '', () => ' \t', () => []];
const emptyNumber: Variants = [...empty, () => 0, () => '0', () => '0.0'];

/** For each argument, the ways in which clients write it, and the ways in which they omit it. */
const forms: Record<string, readonly [written: Variants, omitted: Variants]> = {
  page: [asNumber, emptyNumber],
  per_page: [asNumber, emptyNumber],
  skip: [asText, empty],
  status: [asList, [...empty, () => '[]', () => '[null, ""]']],
  ids: [asList, [...empty, () => '[]']],
  id: [asId, [...empty, () => 0]],
  order_number: [asText, empty],
  zahlungsstatus: [asList, empty],
  lieferstatus: [asList, empty],
  created_from: [asText, empty],
  created_before: [asText, empty],
  time_zone: [asText, empty],
  product: [asText, empty],
  summary: [asFlag, empty],
  codes: [asFlag, empty],
};
const argumentsOf: Record<string, readonly string[]> = {
  order_license_get_me: [],
  order_license_list_orders: [
    'page',
    'per_page',
    'status',
    'created_from',
    'created_before',
    'time_zone',
    'zahlungsstatus',
    'lieferstatus',
    'product',
    'summary',
  ],
  order_license_get_order: [
    'id',
    'order_number',
    'ids',
    'status',
    'created_from',
    'created_before',
    'time_zone',
    'product',
    'codes',
    'skip',
  ],
};

test('every way in which clients write or omit arguments gives the same answer, byte for byte', async () => {
  const session = await start();
  const { orders } = (await askDirectly(session, '/orders?per_page=20')) as {
    orders: { id: number; bestellnummer: string }[];
  };
  const status = fc.uniqueArray(fc.constantFrom('ausstehend', 'bezahlt', 'abgeschlossen', 'storniert'), {
    minLength: 1,
    maxLength: 3,
  });
  const range = {
    created_from: fc.constantFrom('2026-05-01', '2026-06-20 08:00:00'),
    created_before: fc.constantFrom('2026-06-25', '2026-07-01T00:00:00Z'),
    time_zone: fc.constantFrom('Europe/Berlin', 'UTC'),
  };
  const product = fc.constantFrom('Office', 'Windows', '11');
  const id = fc.constantFrom(...orders.map(({ id }) => id));
  const optional = <T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }, requiredKeys: (keyof T)[] = []) =>
    fc.record(shape, { requiredKeys }) as fc.Arbitrary<Args>;
  const calls = fc.oneof(
    fc.constant(['order_license_get_me', {}] as [string, Args]),
    ...[
      optional({
        page: fc.integer({ min: 1, max: 4 }),
        per_page: fc.integer({ min: 1, max: 50 }),
        status: status.map((list) => list.slice(0, 1)),
      }),
      optional({ ...range, status, product, per_page: fc.constantFrom(5, 50) }, ['created_from']),
      optional(
        { ...range, zahlungsstatus: fc.constant(['offen']), lieferstatus: fc.constant(['geliefert', 'offen']) },
        ['zahlungsstatus'],
      ),
      optional({ ...range, status, summary: fc.constantFrom(true, 'day', 'week', 'month') }, ['summary']),
      optional({ summary: fc.constant(false), status: status.map((list) => list.slice(0, 1)) }),
    ].map((args) => args.map((args): [string, Args] => ['order_license_list_orders', args])),
    ...[
      optional({ id, codes: fc.boolean(), product }, ['id']),
      optional({ order_number: fc.constantFrom(...orders.map(({ bestellnummer }) => bestellnummer)) }, [
        'order_number',
      ]),
      optional({ ids: fc.uniqueArray(id, { minLength: 1, maxLength: 4 }), skip: fc.constant('1'), product }, ['ids']),
      optional({ ...range, status, codes: fc.boolean() }, ['created_from', 'created_before']),
    ].map((args) => args.map((args): [string, Args] => ['order_license_get_order', args])),
  );
  // Each call leaves fewer requests to the next one.
  const ask = async (name: string, args: Args): Promise<string> =>
    (await session.call(name, args)).text.replace(/"requests_left":\d+/, '');
  await fc.assert(
    fc.asyncProperty(calls, fc.infiniteStream(fc.nat(1_000)), async ([name, args], choices) => {
      const choose = (variants: Variants, value: unknown): unknown => {
        const { value: choice } = choices.next();
        return variants[choice % variants.length]?.(value);
      };
      const written = Object.fromEntries(
        (argumentsOf[name] ?? []).map((argument) => {
          const [given = [], omitted = []] = forms[argument] ?? [];
          const isWord = argument === 'summary' && typeof args.summary === 'string';
          return [
            argument,
            argument in args ? choose(isWord ? asText : given, args[argument]) : choose(omitted, undefined),
          ];
        }),
      );
      const answer = await ask(name, args);
      expect(await ask(name, written)).toBe(answer);
    }),
    { numRuns: 120 },
  );
});

test('reads large IDs in a list that is text, without rounding them [U-25]', async () => {
  const session = await start();
  const [large, huge] = ['9007199254740993', '123456789012345678901234567890'];
  for (const ids of [`[${large}, ${huge}]`, `${large},${huge}`, `["${large}", "${huge}"]`]) {
    session.mock.journal.clear();
    await session.call('order_license_get_order', { ids });
    const paths = session.mock.journal.entries().map(({ path }) => path);
    expect(paths).toEqual([`/api/v1/orders/${large}`, `/api/v1/orders/${huge}`]);
  }
});

test.each([
  ['order_license_list_orders', { summary: 'yes' }, '`summary` must be'],
  ['order_license_list_orders', { page: 'null' }, '`page` must be'],
  ['order_license_list_orders', { page: '1.5' }, '`page` must be'],
  ['order_license_list_orders', { per_page: -1 }, '`per_page` must be'],
  ['order_license_list_orders', { status: '["bezahlt"' }, '`status` must be'],
  ['order_license_list_orders', { status: '["paid"]' }, '`status` must be'],
  ['order_license_list_orders', { product: 2024.5 }, '`product` must be'],
  ['order_license_list_orders', { created_from: 'null' }, '`created_from` must be'],
  ['order_license_get_order', { codes: 1 }, '`codes` must be'],
  ['order_license_get_order', { id: 9_007_199_254_740_992 }, '`id` must be'],
  ['order_license_get_order', { id: 'null' }, '`id` must be'],
  ['order_license_get_order', { ids: { a: 1 } }, '{"a":1} in `ids` is not an order ID'],
  ['order_license_list_orders', { summry: true }, 'There is no argument "summry"'],
  ['order_license_get_order', { orderNumber: 'B-1' }, 'There is no argument "orderNumber"'],
])('%s rejects %j with the argument name, before any request', async (name, args, message) => {
  const { call, mock } = await start();
  const { text, isError } = await call(name, args);
  expect(isError).toBe(true);
  expect(text).toContain(message);
  expect(text.length).toBeLessThan(400);
  expect(mock.journal.entries()).toEqual([]);
});

test('ignores what n8n, CrewAI and other clients add to the arguments', async () => {
  const { call } = await start();
  const n8n = { toolCallId: 'call_1', sessionId: 's', action: 'sendMessage', chatInput: 'How many orders?' };
  const others = { security_context: { agent_fingerprint: {} }, _sessionID: 's', _tool_context: {}, _meta: {} };
  const plain = await call('order_license_list_orders', { per_page: 2 });
  expect(plain.isError).toBe(false);
  expect(await call('order_license_list_orders', { per_page: 2, ...n8n, ...others })).toEqual(plain);
});

test('of many invalid arguments, an error describes three', async () => {
  const { call } = await start();
  const args = { page: 'x', status: 'x', created_from: 'x', created_before: 'x', time_zone: 'x', sumary: true };
  const { text } = await call('order_license_list_orders', args);
  for (const name of ['"sumary"', '`page` must', '`status` must', 'Other arguments']) expect(text).toContain(name);
  expect(text).not.toContain('`time_zone` must');
});

test('an argument that is omitted with null does not hide a misspelt one', async () => {
  const { call } = await start();
  const { text } = await call('order_license_get_order', { id: null, order_nr: 'B-1' });
  expect(text).toContain('There is no argument "order_nr"');
});

test('prompts read numbers as text, and ignore white space', async () => {
  const { client } = await startSession({ inOwnProcess: true });
  const args = { product: ' Office ', from: ' 2026-03-02', to: '2026-03-02' };
  const plain = { product: 'Office', from: '2026-03-02', to: '2026-03-02' };
  const name = 'license_distribution';
  expect(await client.getPrompt({ name, arguments: args })).toEqual(await client.getPrompt({ name, arguments: plain }));
  const asNumber = { ...plain, product: 2024 as unknown as string };
  const { messages } = await client.getPrompt({ name, arguments: asNumber });
  expect(JSON.stringify(messages)).toContain('product \\"2024\\"');
});
