import { expect, onTestFinished, test, vi } from 'vitest';
import { issueTicket } from '../app/tickets.ts';
import type { ToolSettings } from '../app/tool-settings.ts';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { callTool, startSession } from '../testing/mcp-session.fixture.ts';
import { movingService } from '../testing/moving-service.fixture.ts';
import { callLimits } from './call-limits.ts';

/** Connects to a server in front of an API whose responses have this status and duration. */
const connectTo = async ({ status = 200, tripMs = 0 }, more?: Partial<ToolSettings>) => {
  const service = movingService({ respond: () => (status === 200 ? { user_id: 1 } : status), tripMs });
  const openClient: ToolSettings['openClient'] = async (onEvent) =>
    service.openClient({}, { ...callLimits, retries: 2, onEvent });
  return { ...service, client: await connectInProcess(openClient, undefined, undefined, more) };
};

test('leaves a short delay between the starts of two requests [S-83]', async () => {
  const { client, sentAt } = await connectTo({});
  await Promise.all(Array.from({ length: 10 }, () => callTool(client, 'order_license_get_me')));
  expect(sentAt).toHaveLength(10);
  for (let i = 1; i < 10; i++) expect((sentAt[i] ?? 0) - (sentAt[i - 1] ?? 0)).toBeGreaterThanOrEqual(20);
});

test('rejects the 61st request in a minute without sending it, and says how many seconds to wait [S-84]', async () => {
  const { client, sentAt, now } = await connectTo({});
  for (let i = 0; i < 60; i++) await callTool(client, 'order_license_get_me');
  const before = now();
  const { text, isError } = await callTool(client, 'order_license_get_me');
  expect(isError).toBe(true);
  expect(text).toMatch(/^rate_limited: Rate limit reached\. Call again in at least (5\d|6[01]) s\.$/);
  expect(now() - before).toBeLessThanOrEqual(20); // without the delay between two requests
  expect(sentAt).toHaveLength(60);
});

test('waits up to 20 s and reports progress [S-84]', async () => {
  const { client, pass } = await connectTo({});
  for (let i = 0; i < 60; i++) await callTool(client, 'order_license_get_me');
  pass(45_000);
  const messages: string[] = [];
  const onprogress = ({ message = '' }) => void messages.push(message);
  const result = await client.callTool({ name: 'order_license_get_me', arguments: {} }, { onprogress });
  expect(result.isError).not.toBe(true);
  expect(messages).toEqual([expect.stringMatching(/^Waiting at least 1\d s for the rate limit\.$/)]);
});

test('if the API returns 429 during a call, the call ends at once and says how many seconds to wait [S-84]', async () => {
  const { call, mock } = await startSession({ mock: { limit: 1 } });
  await call('get_me');
  const { text, isError } = await call('get_me');
  expect(isError).toBe(true);
  expect(text).toMatch(/^rate_limited: The API returned status 429\. Call again in 6[01] s\./);
  expect(mock.journal.entries().map(({ status }) => status)).toEqual([200, 429]);
  const again = await call('get_me');
  expect(again.text).toMatch(/^rate_limited: .* Call again in at least \d+ s\./);
  expect(mock.journal.total()).toBe(2);
});

test('retries failures, reports each retry as progress, and ends within 45 s [U-58]', async () => {
  const { client, sentAt, now } = await connectTo({ status: 503, tripMs: 14_000 });
  const messages: string[] = [];
  const onprogress = ({ message = '' }) => void messages.push(message);
  const result = await client.callTool({ name: 'order_license_get_me', arguments: {} }, { onprogress });
  expect(result.content).toMatchObject([
    { text: expect.stringMatching(/^server: The API returned server error 503\. /) },
  ]);
  expect(sentAt).toHaveLength(3);
  expect(messages).toEqual([
    'Trying again in 1 s after a failure (503).',
    expect.stringMatching(/^Trying again in [12] s after a failure \(503\)\.$/),
  ]);
  expect(now()).toBeLessThanOrEqual(45_000);
});

test('the time that a call waits in the queue counts toward its 45 s, even when the card shows license codes', async () => {
  let waitedMs = 0;
  const real = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + waitedMs);
  onTestFinished(() => clock.mockRestore());
  const waitForTurn = async () => {
    waitedMs += 30_000;
    return () => undefined;
  };
  const card = { apiKey: 'some-key' };
  const { client, now } = await connectTo({ tripMs: 3_600_000 }, { waitForTurn, card });
  const calls = [
    () => callTool(client, 'order_license_get_me'),
    () => client.readResource({ uri: issueTicket(7, card)?.uri ?? '' }).catch(() => undefined),
  ];
  for (const call of calls) {
    const before = now();
    await call();
    expect(now() - before).toBeGreaterThan(0);
    expect(now() - before).toBeLessThanOrEqual(15_000);
  }
});
