import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tools } from '../server/server.ts';
import { startSession } from '../testing/mcp-session.fixture.ts';
import { connectToService, orderAt } from '../testing/moving-service.fixture.ts';

type Args = Record<string, unknown>;
type Variants = readonly ((value: unknown) => unknown)[];

const statuses = ['ausstehend', 'bezahlt', 'abgeschlossen', 'storniert'] as const;
/** Connects to an API with 120 orders, from January to June, and returns these, too. */
const start = async () => {
  const orders = Array.from({ length: 120 }, (_, n) =>
    orderAt((120 - n) * 129_600, { status: statuses[n % 4] ?? '', zahlungsstatus: n % 3 ? 'bezahlt' : 'offen' }),
  );
  const names = ['Office 2024', 'Windows 11', 'Mail'];
  const items = names.map((product_name, id) => ({
    id,
    product_name,
    license_codes: [{ id, license_key: `KEY-${id}` }],
  }));
  const details = (order: (typeof orders)[0]) => ({ ...order, items: items.slice(order.id % 3) });
  return { orders, ...(await connectToService({ orders, details })) };
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
  (value) => [null, ...(value as unknown[]), ' '],
  (value) => JSON.stringify(['', ...(value as unknown[]), null]),
  (value) => ((value as unknown[]).length === 1 ? (value as unknown[])[0] : value),
];
/** Only IDs and order statuses: a payment or delivery status in a list can contain a comma. */
const asWords: Variants = [...asList, (value) => [(value as unknown[]).join(',')]];
const empty: Variants = [() => undefined, () => null, () => '', () => ' \t', () => []];
const emptyNumber: Variants = [...empty, () => 0, () => '0', () => '0.0'];

/** The ways in which clients write an argument, and omit it; those of a text for any other argument. */
const forms: Record<string, readonly [written: Variants, omitted: Variants]> = {
  page: [asNumber, emptyNumber],
  per_page: [asNumber, emptyNumber],
  status: [
    [...asWords, (value) => [value, value].flat()],
    [...empty, () => '[]', () => '[null, ""]'],
  ],
  ids: [asWords, [...empty, () => '[]']],
  id: [asId, [...empty, () => 0]],
  zahlungsstatus: [asList, empty],
  lieferstatus: [asList, empty],
  summary: [asFlag, [...empty, () => false]],
  codes: [asFlag, empty],
};
/** Each tool's arguments, without those that only `continue` has. */
const argumentsOf = Object.fromEntries(
  tools.map(({ name, input }) => [name, Object.keys(input.shape).filter((argument) => argument !== 'continue_id')]),
);

test('every way in which clients write or omit arguments gives the same answer, byte for byte', async () => {
  const session = await start();
  const orders = session.orders.slice(0, 20);
  const status = fc.uniqueArray(fc.constantFrom(...statuses), { minLength: 1, maxLength: 3 });
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
    (await session.call(name.replace('order_license_', ''), args)).text.replace(/"requests_left":\d+/, '');
  await fc.assert(
    fc.asyncProperty(calls, fc.infiniteStream(fc.nat(1_000)), async ([name, args], choices) => {
      const choose = (variants: Variants, value: unknown): unknown => {
        const { value: choice } = choices.next();
        return variants[choice % variants.length]?.(value);
      };
      const written = Object.fromEntries(
        (argumentsOf[name] ?? []).map((argument) => {
          const [given, omitted] = forms[argument] ?? [asText, empty];
          const isWord = argument === 'summary' && typeof args.summary === 'string';
          const variants = argument in args ? (isWord ? asText : given) : omitted;
          return [argument, choose(variants, args[argument])];
        }),
      );
      const answer = await ask(name, args);
      expect(await ask(name, written)).toBe(answer);
    }),
    { numRuns: 120 },
  );
});

test('finds a payment status that contains a comma', async () => {
  const orders = ['bezahlt, Rest offen', 'bezahlt', 'Rest offen'].map((zahlungsstatus) =>
    orderAt(1, { zahlungsstatus }),
  );
  const { call } = await connectToService({ orders });
  for (const zahlungsstatus of [['bezahlt, Rest offen'], '["bezahlt, Rest offen"]']) {
    expect((await call('list_orders', { zahlungsstatus })).data).toMatchObject({ count: 1 });
  }
});

test('reads large IDs, alone or in a list that is text, without rounding them [U-25]', async () => {
  const asked: string[] = [];
  const respond = (url: string) => {
    asked.push(url.replace(/^.*\/orders\//, ''));
    return 404;
  };
  const { call } = await connectToService({ respond });
  const [large, huge] = ['9007199254740993', '123456789012345678901234567890'];
  expect((await call('get_order', { id: ` ${large} ` })).text).toMatch(/^not_found: /);
  for (const ids of [`[${huge}, ${large}]`, `${huge},${large}`, `["${huge}", "${large}"]`]) {
    await call('get_order', { ids });
  }
  expect(asked).toEqual([large, huge, large, huge, large, huge, large]);
});

test('ignores what n8n, CrewAI and other clients add to the arguments', async () => {
  const { call } = await start();
  const n8n = { toolCallId: 'call_1', sessionId: 's', action: 'sendMessage', chatInput: 'How many orders?' };
  const others = { security_context: { agent_fingerprint: {} }, _sessionID: 's', _tool_context: {}, _meta: {} };
  const plain = await call('list_orders', { per_page: 2 });
  expect(plain.isError).toBe(false);
  expect(await call('list_orders', { per_page: 2, ...n8n, ...others })).toEqual(plain);
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
