import type { OrderSummary } from '@order-license/core/portable';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, test, vi } from 'vitest';
import { connect as connectHttp, getMe, post, serve, token } from '../testing/http-session.fixture.ts';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { callsOf, startSession, stderrOf } from '../testing/mcp-session.fixture.ts';
import { hourly, movingService, orderAt, type ServiceOptions } from '../testing/moving-service.fixture.ts';
import { watchStderr } from '../testing/stderr.fixture.ts';
import { createAccessLog, type OnCall, shortHash } from './access-log.ts';

/** Returns the lines of the access log in a text. */
const linesOf = (text: string): unknown[] => (text.match(/^\{.*$/gm) ?? []).map((line) => JSON.parse(line));

const logging = { ORDER_LICENSE_ACCESS_LOG: 'stderr' };
const client = { name: 'test', version: '1.0.0' };

test.each(['auto', 'legacy'] as const)('over stdio in mode %s, logs each tool call as a line of JSON', async (mode) => {
  const session = await startSession({ env: logging, mode, mock: { orders: 3 }, inOwnProcess: true });
  const read = stderrOf(session.client);
  const { id, bestellnummer } = session.mock.state.insertOrder('business', {
    status: 'bezahlt',
    items: [{ menge: 2 }],
  });
  await session.call('get_me');
  await session.call('list_orders', { per_page: 2 });
  await session.call('get_order', { order_number: bestellnummer });
  await session.call('get_order', { id: 987_654_321 });
  await session.call('get_order', { id: 'canary' });
  await vi.waitFor(() => expect(linesOf(read())).toHaveLength(5));
  const common = { event: 'tool_call', caller: { key: shortHash(session.mock.keys.business) }, client };
  const ofTool = (tool: string, outcome: string, requests: number, order_ids: unknown, codes = 0) =>
    expect.objectContaining({ ...common, tool, outcome, requests, order_ids, codes });
  expect(linesOf(read())).toEqual([
    ofTool('order_license_get_me', 'ok', 1, []),
    ofTool('order_license_list_orders', 'ok', 1, [expect.any(Number), expect.any(Number)]),
    ofTool('order_license_get_order', 'ok', 2, [id], 2),
    ofTool('order_license_get_order', 'not_found', 1, []),
    ofTool('order_license_get_order', 'bad_request', 0, []),
  ]);
  expect(linesOf(read())[0]).toMatchObject({ time: expect.stringMatching(/^\d{4}-.*Z$/), ms: expect.any(Number) });
  for (const secret of [session.mock.keys.business, bestellnummer, 'canary', '987654321', 'EUR']) {
    expect(read()).not.toContain(secret);
  }
});

/** Connects to a server in front of this API. `recorded` has the orders and license codes of each call. */
const recordCalls = async (options: ServiceOptions, folder?: string) => {
  const recorded: unknown[] = [];
  const onCall: OnCall = ({ orderIds, codes }) => recorded.push({ orderIds, codes });
  const { openClient } = movingService(options);
  const client = await connectInProcess(async () => openClient(), undefined, folder, { onCall });
  return { ...callsOf(client), recorded };
};

test.each(['codes', 'orders'])('logs the orders and license codes in each part of an export (%s)', async (what) => {
  const orders = hourly(8);
  const ids = orders.map(({ id }) => id);
  const items = [{ id: 1, product_name: 'Office', license_codes: [{ license_key: 'A' }, { license_key: 'B' }] }];
  // Three orders that cannot be read end the first part.
  const details = (order: OrderSummary) => (ids.slice(2, 5).includes(order.id) ? 503 : { ...order, items });
  const { callToEnd, recorded } = await recordCalls({ orders, details }, temporaryFolder());
  await callToEnd('export_orders', { what, created_from: '2026-01-01', created_before: '2026-01-02' });
  const parts = [
    { orderIds: ids.slice(0, 2), codes: 4 },
    { orderIds: ids.slice(5), codes: 6 },
  ];
  expect(recorded).toEqual(what === 'codes' ? parts : [{ orderIds: ids, codes: 0 }]);
});

test('logs orders that have large IDs or no order number', async () => {
  const ids = [7, '900719925474099312'];
  const orders = ids.map((id) => orderAt(1, { id: id as number, bestellnummer: undefined as never }));
  const { call, recorded } = await recordCalls({ orders });
  await call('list_orders');
  expect(recorded).toEqual([{ orderIds: ids, codes: 0 }]);
});

test('over HTTP, logs a caller as a hash of its key or of the access token', async () => {
  const { url, mock } = await serve({ ...logging, ORDER_LICENSE_ACCESS_TOKEN: token });
  const lines = watchStderr();
  const authorization = `Bearer ${token}`;
  const own = await connectHttp(url, { authorization, 'x-order-license-key': mock.keys.otherAccount });
  await own.callTool({ name: 'order_license_get_me', arguments: {} });
  const shared = await connectHttp(url, { authorization });
  await shared.callTool({ name: 'order_license_get_me', arguments: {} });
  expect(linesOf(lines.join(''))).toMatchObject([
    { caller: { key: shortHash(mock.keys.otherAccount) }, client, tool: 'order_license_get_me', outcome: 'ok' },
    { caller: { token: shortHash(token) }, client, tool: 'order_license_get_me', outcome: 'ok' },
  ]);
});

test('over HTTP, the access log has no client name for clients with a 2025 revision', async () => {
  const { url, mock } = await serve(logging);
  const lines = watchStderr();
  await post(url, {}, getMe);
  expect(linesOf(lines.join(''))).toMatchObject([
    { caller: { key: shortHash(mock.keys.business) }, client: { name: null, version: null } },
  ]);
});

test('logs a subject by name; a client name can neither add a line nor make a line long', () => {
  const written: string[] = [];
  const log = createAccessLog({ subject: 'anna' }, (line) => written.push(line));
  const counts = { orderIds: [], codes: 0, ms: 1, requests: 1 };
  const call = { event: 'tool_call', tool: 'order_license_get_me', outcome: 'ok', ...counts } as const;
  log({ ...call, client: { name: `x\n{"event":"forged"}${'y'.repeat(1_000)}`, version: { deep: 1 } } });
  expect(written).toEqual([expect.stringMatching(/^\{[^\n]{0,400}\}\n$/)]);
  const hidden = '\u2028{"event":"forged"}\u0085\u009b31m\u202e\u{e0041}';
  log({ ...call, client: { name: hidden, version: '1' } });
  expect(written[1]).not.toMatch(/[\u2028\u0085\u009b\u202e\u{e0041}]/u);
  expect(JSON.parse(written.pop() ?? '')).toMatchObject({ client: { name: hidden } });
  expect(linesOf(written.join(''))).toMatchObject([{ caller: { subject: 'anna' }, client: { version: null } }]);
});
