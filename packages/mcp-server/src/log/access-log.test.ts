import { expect, test, vi } from 'vitest';
import { connect as connectHttp, getMe, post, serve, token } from '../testing/http-session.fixture.ts';
import { startSession, stderrOf } from '../testing/mcp-session.fixture.ts';
import { watchStderr } from '../testing/stderr.fixture.ts';
import { createAccessLog, shortHash } from './access-log.ts';

/** Returns the lines of the access log in a text. */
const linesOf = (text: string): unknown[] => (text.match(/^\{.*$/gm) ?? []).map((line) => JSON.parse(line));

const logging = { ORDER_LICENSE_ACCESS_LOG: 'stderr' };
const client = { name: 'test', version: '1.0.0' };

test.each(['auto', 'legacy'] as const)(
  'over stdio in mode %s, logs each tool call as one line of JSON',
  async (mode) => {
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
  },
);

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
