import type { Client } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  connect as connectHttp,
  envelope,
  modernHeaders,
  post,
  rpc,
  serve,
  token,
} from '../testing/http-session.fixture.ts';
import { publicUrl, startIssuer, writeSignInFile } from '../testing/issuer.fixture.ts';
import {
  appCapabilities,
  type Session,
  type SessionOptions,
  startSession,
  stderrOf,
} from '../testing/mcp-session.fixture.ts';

const app = { ORDER_LICENSE_LICENSE_KEYS: 'app' };
const licenseKeyPrefix = 'CANARY';
const ticketsKey = 'io.github.order-license/tickets';

interface Tickets {
  [ticketsKey]?: { id: number; uri: string }[];
}

const startApp = (options: SessionOptions = {}): Promise<Session> =>
  startSession({
    capabilities: appCapabilities,
    ...options,
    env: { ...app, ...options.env },
    mock: { licenseKeyPrefix, ...options.mock },
  });

const insertOrder = ({ mock }: Pick<Session, 'mock'>, quantity = 2): number =>
  mock.state.insertOrder('business', { status: 'bezahlt', items: [{ menge: quantity }] }).id;

const readOrder = async (client: Client, id: number) => {
  const result = await client.callTool({ name: 'order_license_get_order', arguments: { id } });
  return { ...result, uri: (result._meta as Tickets | undefined)?.[ticketsKey]?.[0]?.uri };
};

/** Reads the license codes as the card does. */
const reveal = async (client: Client, uri = '') => {
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  return { mimeType: content?.mimeType, order: JSON.parse(content && 'text' in content ? content.text : '') };
};

test.each(['auto', 'legacy'] as const)('in mode %s, a result has a ticket instead of license keys', async (mode) => {
  const session = await startApp({ mode });
  const { client } = session;
  const id = insertOrder(session);
  const { uri, content, structuredContent, _meta } = await readOrder(client, id);
  expect(JSON.stringify([content, structuredContent, _meta])).not.toContain(licenseKeyPrefix);
  const { mimeType, order } = await reveal(client, uri);
  expect(mimeType).toBe('application/json');
  const code = { license_key: expect.stringContaining(licenseKeyPrefix), product_name: expect.any(String) };
  expect(order).toMatchObject({ id, codes: [code, code] });
  expect(JSON.stringify(order).match(/CANARY/g)).toHaveLength(2);
});

test.each(['auto', 'legacy'] as const)('in mode %s, only clients with MCP Apps can find the card', async (mode) => {
  const [shows, hides, full] = await Promise.all([
    startApp({ mode }),
    startApp({ mode, capabilities: {} }),
    startSession({ mode }),
  ]);
  const [listed, hidden, usual] = await Promise.all(
    [shows, hides, full].map(async ({ client }) => (await client.listTools()).tools),
  );
  expect(hidden).toEqual(usual);
  expect(listed?.map(({ _meta, ...tool }) => tool)).toEqual(usual);
  expect(listed?.map(({ _meta }) => _meta)).toEqual([
    undefined,
    undefined,
    { ui: { resourceUri: 'ui://order-license/order-card.html' } },
  ]);
  const announced = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
  expect(shows.client.getServerCapabilities()).toMatchObject(announced);
  expect(full.client.getServerCapabilities()).not.toHaveProperty('extensions');
  expect(shows.client.getServerVersion()).toMatchObject({
    websiteUrl: expect.stringMatching(/^https:/),
    icons: [{ src: expect.stringMatching(/^https:.*\.png$/), mimeType: 'image/png' }],
  });
  expect((await hides.client.listResources()).resources).toEqual([]);
  const { resources } = await shows.client.listResources();
  expect(resources).toMatchObject([
    { uri: 'ui://order-license/order-card.html', mimeType: 'text/html;profile=mcp-app' },
  ]);
  const { contents } = await shows.client.readResource({ uri: resources[0]?.uri ?? '' });
  expect(contents).toMatchObject([{ text: expect.stringMatching(/^<!doctype html>/), _meta: resources[0]?._meta }]);
  for (const { client } of [shows, hides]) {
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
  }
});

test('lists that depend on the client have the cache scope `private`', async () => {
  const { url } = await serve(app);
  const _meta = { ...envelope, 'io.modelcontextprotocol/clientCapabilities': appCapabilities };
  for (const method of ['tools/list', 'resources/list']) {
    const { text } = await post(url, modernHeaders(method), rpc(method, { _meta }));
    expect(text).toContain('"cacheScope":"private"');
  }
});

test('clients that do not support MCP Apps get no ticket, and the result says how to see the keys', async () => {
  const session = await startApp({ capabilities: {} });
  const { _meta, structuredContent } = await readOrder(session.client, insertOrder(session));
  expect(_meta).not.toHaveProperty(ticketsKey);
  const { masking } = structuredContent as { masking: { advice: string } };
  expect(masking.advice).toMatch(
    /in the customer account.*This client cannot show them.*does not declare support for MCP Apps/,
  );
  const days = { product: 'Office', from: '2026-01-01', to: '2026-01-31' };
  const { messages } = await session.client.getPrompt({ name: 'license_distribution', arguments: days });
  expect(JSON.stringify(messages)).toContain('order card');
});

test("a 2025 client over HTTP gets no ticket, because it can't declare support for MCP Apps", async () => {
  const { url, mock } = await serve(app);
  const id = insertOrder({ mock });
  const client = await connectHttp(url, {}, 'legacy', appCapabilities);
  const { uri, structuredContent } = await readOrder(client, id);
  expect(uri).toBeUndefined();
  expect(JSON.stringify(structuredContent)).toContain(
    'Over HTTP, only clients with protocol revision 2026-07-28 or newer can declare this support',
  );
  expect((await client.listTools()).tools.map(({ _meta }) => _meta)).toEqual([undefined, undefined, undefined]);
});

test('with `ids`, each order with license codes has its own ticket', async () => {
  const session = await startApp();
  const ids = [insertOrder(session), insertOrder(session, 3)];
  const pending = session.mock.state.insertOrder('business', { status: 'ausstehend', items: [{ menge: 1 }] }).id;
  const args = { ids: [...ids, pending, 987_654_321] };
  const { _meta } = await session.client.callTool({ name: 'order_license_get_order', arguments: args });
  const tickets = (_meta as Tickets)[ticketsKey] ?? [];
  expect(tickets.map(({ id }) => id)).toEqual(ids);
  expect((await reveal(session.client, tickets[1]?.uri)).order).toMatchObject({ id: ids[1], codes: [{}, {}, {}] });
});

test("returns the same error for a missing ticket and for another caller's ticket", async () => {
  const session = await startApp();
  const { client, mock } = session;
  const [own, other] = [insertOrder(session), insertOrder(session)];
  const { uri = '' } = await readOrder(client, own);
  const requests = mock.journal.total();
  const wrong = [
    'order-license://keys/',
    `order-license://keys/${own}`,
    uri.replace(String(own), String(other)),
    uri.slice(0, -1),
    `${uri}x`,
    uri.replace(/.{43}$/, 'A'.repeat(43)),
  ];
  const said = new Set<string>();
  for (const one of wrong) {
    const error = await client.readResource({ uri: one }).catch((error: Error) => error);
    expect(error).toMatchObject({ code: -32602, data: { reason: 'rejected' } });
    said.add((error as Error).message);
  }
  const words = 'License keys are shown only in the order card. Read the order with order_license_get_order';
  expect([...said]).toEqual([expect.stringContaining(words)]);
  await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow(/not found/);
  expect(mock.journal.total()).toBe(requests);
});

test("replicas accept each other's tickets, but only from the caller who got them", async () => {
  const first = await serve({ ...app, ORDER_LICENSE_ACCESS_TOKEN: token });
  const { mock } = first;
  const id = insertOrder({ mock });
  const sameShop = { ORDER_LICENSE_BASE_URL: mock.baseUrl, ORDER_LICENSE_API_KEY: mock.keys.business };
  const second = await serve({ ...app, ORDER_LICENSE_ACCESS_TOKEN: token, ...sameShop });
  const authorization = `Bearer ${token}`;
  const connectTo = (url: string, more = {}) => connectHttp(url, { authorization, ...more }, 'auto', appCapabilities);
  const { uri } = await readOrder(await connectTo(first.url), id);
  expect((await reveal(await connectTo(second.url), uri)).order).toMatchObject({ id, codes: [{}, {}] });
  const stranger = await connectTo(second.url, { 'x-order-license-key': mock.keys.otherAccount });
  await expect(reveal(stranger, uri)).rejects.toMatchObject({ data: { reason: 'rejected' } });
});

test("a signed-in user can't use another user's ticket, even if both have the same API key", async () => {
  const issuer = await startIssuer();
  const subjects = { alice: true, bob: true };
  const file = writeSignInFile({ publicUrl, issuer: issuer.url, subjects });
  const { url, mock } = await serve({ ...app, ORDER_LICENSE_OAUTH: file });
  const id = insertOrder({ mock });
  const signIn = async (sub: string) =>
    connectHttp(url, { authorization: `Bearer ${await issuer.issue({ sub })}` }, 'auto', appCapabilities);
  const [alice, bob] = [await signIn('alice'), await signIn('bob')];
  const { uri } = await readOrder(alice, id);
  await expect(reveal(bob, uri)).rejects.toMatchObject({ data: { reason: 'rejected' } });
  expect((await reveal(alice, uri)).order).toMatchObject({ id, codes: [{}, {}] });
});

test('the error for an expired ticket says to read the order again', async () => {
  const { url, mock } = await serve(app);
  const client = await connectHttp(url, {}, 'auto', appCapabilities);
  const { uri } = await readOrder(client, insertOrder({ mock }));
  const now = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => now + 301_000);
  onTestFinished(() => void vi.restoreAllMocks());
  await expect(reveal(client, uri)).rejects.toMatchObject({
    data: { reason: 'expired' },
    message: expect.stringContaining('Read it again'),
  });
});

test('the access log records who revealed which order, but not what was shown', async () => {
  const session = await startApp({ env: { ORDER_LICENSE_ACCESS_LOG: 'stderr' }, inOwnProcess: true });
  const read = stderrOf(session.client);
  const id = insertOrder(session);
  const { uri = '' } = await readOrder(session.client, id);
  await reveal(session.client, uri);
  await session.client.readResource({ uri: `${uri}x` }).catch(() => undefined);
  const lines = () => (read().match(/^\{.*$/gm) ?? []).map((line) => JSON.parse(line));
  await vi.waitFor(() => expect(lines()).toHaveLength(3));
  const client = { name: 'test', version: '1.0.0' };
  expect(lines()).toMatchObject([
    { event: 'tool_call', tool: 'order_license_get_order' },
    { event: 'reveal', client, order_ids: [id], codes: 2, outcome: 'ok', requests: 1 },
    { event: 'reveal', client, order_ids: [], codes: 0, outcome: 'rejected', requests: 0 },
  ]);
  expect(lines()[1]).not.toHaveProperty('tool');
  expect(read()).not.toMatch(/CANARY|order-license:\/\//);
});

test("if the API fails, the card gets the error's code as a field, without the API's message", async () => {
  const session = await startApp();
  const { uri } = await readOrder(session.client, insertOrder(session));
  session.mock.set({ errorText: 'CANARY words' });
  session.mock.faults.add({ kind: '404', operation: 'order' });
  const error = await reveal(session.client, uri).catch((error: Error) => error);
  expect(error).toMatchObject({ code: -32603, data: { code: 'not_found' } });
  expect(JSON.stringify(error) + String(error)).not.toContain('CANARY');
});

test('offers no card if license keys are always masked', async () => {
  const env = { ORDER_LICENSE_LICENSE_KEYS: 'masked' };
  const { client } = await startSession({ env, capabilities: appCapabilities });
  expect((await client.listResources()).resources).toEqual([]);
  expect(client.getServerCapabilities()).not.toHaveProperty('extensions');
  await expect(client.readResource({ uri: 'ui://order-license/order-card.html' })).rejects.toThrow();
});

test('personal data in the card stays masked, whatever the setting for license keys', async () => {
  const session = await startApp({ env: { ORDER_LICENSE_PERSONAL_DATA: 'masked' } });
  const { id } = session.mock.state.insertOrder('business', {
    status: 'bezahlt',
    items: [{ menge: 1, product_name: 'Office for anna@example.com' }],
  });
  const { uri } = await readOrder(session.client, id);
  const { order } = await reveal(session.client, uri);
  expect(JSON.stringify(order)).toContain(licenseKeyPrefix);
  expect(JSON.stringify(order)).not.toContain('anna@example.com');
});
