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
const formsOf = (name: string) => forms[name] ?? ([asText, empty] as const);
/** Each tool's arguments, without those that only `continue` has. */
const argumentsOf = Object.fromEntries(
  tools.map(({ name, input }) => [name, Object.keys(input.shape).filter((argument) => argument !== 'continue_id')]),
);

/** Returns calls of every kind, for orders with these IDs and this number. */
const callsFor = (ids: readonly number[], order_number: string): [tool: string, args: Args][] => {
  const range = { created_from: '2026-05-01', created_before: '2026-06-25', time_zone: 'Europe/Berlin' };
  const status = ['bezahlt', 'storniert'];
  return [
    ['get_me', {}],
    ['list_orders', {}],
    ['list_orders', { page: 2, per_page: 7, status: ['bezahlt'] }],
    ['list_orders', { ...range, status, product: 'Office', per_page: 50 }],
    ['list_orders', { created_from: '2026-06-20 08:00:00', product: '11' }],
    ['list_orders', { ...range, zahlungsstatus: ['offen'], lieferstatus: ['geliefert', 'offen'] }],
    ['list_orders', { ...range, status, summary: true }],
    ['list_orders', { summary: 'week' }],
    ['list_orders', { summary: false, status: ['bezahlt'] }],
    ['get_order', { id: ids[0], codes: true, product: 'Windows' }],
    ['get_order', { id: ids[1], codes: false }],
    ['get_order', { order_number }],
    ['get_order', { ids, skip: '1', product: 'Office' }],
    ['get_order', { ids: ids.slice(0, 1) }],
    ['get_order', { ...range, status, codes: false }],
  ];
};

test('every way in which clients write or omit arguments gives the same answer, byte for byte', async () => {
  const { orders, call } = await start();
  // Each call leaves fewer requests to the next one.
  const ask = async (tool: string, args: Args) => (await call(tool, args)).text.replace(/"requests_left":\d+/, '');
  const ids = orders.slice(0, 4).map(({ id }) => id);
  for (const [tool, args] of callsFor(ids, String(orders[7]?.bestellnummer))) {
    const answer = await ask(tool, args);
    const names = argumentsOf[`order_license_${tool}`] ?? [];
    // No argument has more than twelve variants.
    for (let turn = 0; turn < 12; turn++) {
      const written = names.map((name, index) => {
        const [given, omitted] = name === 'summary' && args.summary === 'week' ? [asText, empty] : formsOf(name);
        const variants = name in args ? given : omitted;
        return [name, variants[(turn + index) % variants.length]?.(args[name])];
      });
      expect(await ask(tool, Object.fromEntries(written)), JSON.stringify(written)).toBe(answer);
    }
  }
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
