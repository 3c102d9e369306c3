import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, test, vi } from 'vitest';
import { connect as connectHttp, getMe, post, serve, token } from '../testing/http-session.fixture.ts';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { callTool, startSession, stderrOf } from '../testing/mcp-session.fixture.ts';
import { movingService, orderAt } from '../testing/moving-service.fixture.ts';
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
  await session.call('order_license_get_me');
  await session.call('order_license_list_orders', { per_page: 2 });
  await session.call('order_license_get_order', { order_number: bestellnummer });
  await session.call('order_license_get_order', { id: 987_654_321 });
  await session.call('order_license_get_order', { id: 'canary' });
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

test.each(['codes', 'orders'])('logs the orders and license codes in each part of an export (%s)', async (what) => {
  const { mock, call } = await startSession({ env: { ...logging, ORDER_LICENSE_EXPORT_FOLDER: temporaryFolder() } });
  const ids = Array.from({ length: 8 }, (_, n) => {
    const created_at = `2026-03-03 00:00:0${n}`;
    return mock.state.insertOrder('business', { status: 'bezahlt', created_at, items: [{ menge: 2 }] }).id;
  });
  // The newest orders are read first: two, then three that fail, which ends the first part.
  const readable = [...ids.slice(0, 3), ...ids.slice(6)];
  const lines = watchStderr();
  const headers = { 'retry-after': '30' };
  mock.faults.add({ kind: '503', operation: 'order', skip: 2, times: 'always', headers });
  const args = { what, created_from: '2026-03-03', created_before: '2026-03-03 00:01:00' };
  let next: object | undefined = args;
  for (let part = 0; next && part < 5; part++) {
    next = (await call('order_license_export_orders', { ...next })).data.continue as object | undefined;
    mock.faults.clear();
  }
  expect(next).toBeUndefined();
  const logged = linesOf(lines.join('')) as { order_ids: number[]; codes: number }[];
  expect(logged).toHaveLength(what === 'codes' ? 2 : 1);
  expect(logged.flatMap(({ order_ids }) => order_ids).sort()).toEqual(what === 'codes' ? readable : ids);
  for (const { order_ids, codes } of logged) expect(codes).toBe(what === 'codes' ? 2 * order_ids.length : 0);
});

test('logs orders with large IDs, and without a number', async () => {
  const ids = [7, '900719925474099312'];
  const orders = ids.map((id) => orderAt(1, { id: id as number, bestellnummer: undefined as never }));
  const recorded: unknown[] = [];
  const openClient = async () => movingService({ orders }).openClient();
  const onCall: OnCall = ({ orderIds, codes }) => recorded.push({ orderIds, codes });
  const client = await connectInProcess(openClient, undefined, undefined, { onCall });
  await callTool(client, 'order_license_list_orders');
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
