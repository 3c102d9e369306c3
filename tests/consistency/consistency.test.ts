import { listen, type MockServer } from '@order-license/mock-api';
import { profileCases, settingCases } from '@order-license/testing/setting-cases';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { visibleAnswer } from '../../packages/mcp-server/src/answers/masked-answer.ts';
import { openCoreClient } from './core-client.ts';
import type { EntryPoint, Outcome } from './entry-point.ts';
import { openMcpServer } from './mcp-tools.ts';
import { openN8nNode } from './n8n-node.ts';
import { rejections } from './rejections.ts';
import { insertOddOrders } from './sample-orders.ts';
import { readTruth, truthOf } from './truth.ts';
import { readWire, walkWire } from './wire.ts';

let service: MockServer;
/** One of each package. Whatever the client and the transport, the MCP server reads the API in one way. */
let entryPoints: EntryPoint[];

beforeAll(async () => {
  service = await listen({ limit: 'off', orders: 60 });
  insertOddOrders(service);
  const options = { baseUrl: service.baseUrl, apiKey: service.keys.business };
  entryPoints = [openCoreClient(options), await openMcpServer(options), openN8nNode(options)];
});
afterAll(async () => {
  await Promise.all(entryPoints.map((entryPoint) => entryPoint.close?.()));
  await service.close();
});
beforeEach(() => service.setProfile('strict', { limit: 'off' }));

/**
 * Returns the result that all entry points share. Throws if the result of one of them differs, even only in field
 * order. Invisible characters are ignored for entry points that omit them.
 */
const readEverywhere = async (
  read: (entryPoint: EntryPoint) => Promise<Outcome> | undefined,
  at: string,
): Promise<Outcome> => {
  const together = entryPoints.filter(({ alone }) => !alone);
  const outcomes = await Promise.all(together.map(read));
  for (const entryPoint of entryPoints.filter(({ alone }) => alone)) outcomes.push(await read(entryPoint));
  const [first] = outcomes;
  if (!first) throw new Error('No entry point was passed.');
  for (const [index, outcome] of outcomes.entries()) {
    const expected = entryPoints[index]?.visibleTextOnly ? visible(first) : first;
    if (!outcome || asText(outcome) === asText(expected)) continue;
    const { isJoined = false, ...found } = (outcome ?? {}) as Outcome & { isJoined?: true };
    expect(found, `${at} through ${entryPoints[index]?.name}`).toEqual(expected);
    if (isJoined) continue;
    throw new Error(`${at} through ${entryPoints[index]?.name}: the same in another order`);
  }
  return first;
};

const visible = (outcome: Outcome): Outcome =>
  'data' in outcome ? { data: visibleAnswer(outcome.data as object) } : outcome;

/** Sorts a list by ID if its order is unstable (U-09), because the API's responses then differ between requests. */
const asText = (outcome: Outcome): string => {
  if (service.settings().tieBreak !== 'shuffle' || !('data' in outcome) || !Array.isArray(outcome.data)) {
    return JSON.stringify(outcome);
  }
  return JSON.stringify(outcome.data.toSorted((a, b) => Number(a.id) - Number(b.id)));
};

/** For each kind of order, the ID of one such order. */
const sampleIds = (): number[] => {
  const newest = truthOf(service).slice(0, 17);
  return [1, 3, 4, 9, 11, 14].map((index) => newest[index]?.id ?? 0);
};

/** The codes of the errors under each setting. */
const rejected: Record<string, Set<string>> = {};

const expectWire = (label: string, outcome: Outcome, wire: unknown): void => {
  if ('data' in outcome) expect(asText(outcome)).toBe(asText({ data: wire }));
  else rejected[label] = (rejected[label] ?? new Set()).add(outcome.rejected);
};

/** Reads the account and lists, and compares the results with what the API sends. */
const proveLists = async (label: string): Promise<void> => {
  expectWire(label, await readEverywhere((one) => one.getMe(), 'get me'), await readWire(service, '/me'));
  for (const status of [undefined, 'bezahlt']) {
    const list = await readEverywhere((entryPoint) => entryPoint.list(status), `list ${status ?? 'all'}`);
    expectWire(label, list, await walkWire(service, status));
  }
  if (service.settings().tieBreak !== 'shuffle') {
    await readEverywhere((entryPoint) => entryPoint.page?.({ page: 2, perPage: 20 }), 'page 2');
  }
};

/** Reads these orders, and compares the results with what the API sends. */
const proveOrders = async (label: string, ids: readonly unknown[]): Promise<void> => {
  for (const id of ids) {
    const order = await readEverywhere((entryPoint) => entryPoint.getOrder(id), `order ${id}`);
    expectWire(label, order, await readWire(service, `/orders/${id}`));
  }
};

test.each(settingCases)('every package reads the same data under $label [$points]', async ({ label, set }) => {
  const ids = sampleIds();
  service.set(set);
  const listed = await walkWire(service);
  const byIndex = new Map(truthOf(service).map(({ id }, index) => [id, listed?.[index]?.id ?? id]));
  await proveLists(label);
  await proveOrders(label, service.settings().ids === 'safe' ? ids : ids.map((id) => byIndex.get(id)));
});

test.each(profileCases)(
  'every package reads the same data from an API that is $label [U-01 to U-63]',
  async ({ label, profile, set }) => {
    const all = truthOf(service).map(({ id }) => id);
    service.setProfile(profile, { ...set, limit: 'off' });
    await proveLists(label);
    await proveOrders(label, all);
  },
);

test('every package rejects unusable responses and accepts all others', () => {
  const codes = Object.entries(rejected).map(([label, all]) => [label, [...all].join()]);
  expect(Object.fromEntries(codes)).toEqual(rejections);
});

test('every entry point reports the API’s data in full: each order once, each cent, each code [S-18 S-20 S-22 S-37 S-44]', async () => {
  const truth = truthOf(service);
  const list = await readEverywhere((entryPoint) => entryPoint.list(), 'list');
  const entries = 'data' in list ? (list.data as unknown[]) : [];
  const collected = [];
  for (const [index, { id }] of truth.entries()) {
    const order = await readEverywhere((entryPoint) => entryPoint.getOrder(id), `order ${id}`);
    collected.push(readTruth(entries[index], 'data' in order && order.data));
  }
  expect(collected).toEqual(truth);
  expect(collected.length).toBe(67);
});

test.each([
  ['not_found', 1, 'S-08'],
  ['not_found', 'an order of another account', 'S-08'],
  ['bad_request', 0, 'U-26'],
  ['bad_request', -1, 'U-26'],
  ['bad_request', 1.5, 'U-26'],
  ['bad_request', '007', 'U-26'],
  ['bad_request', '1e3', 'U-26'],
  ['bad_request', '１２３', 'U-26'],
  ['bad_request', '0x10', 'U-26'],
  ['bad_request', '../me', 'U-26'],
  ['bad_request', '1/../../me', 'U-26'],
  ['bad_request', '1?x=1', 'U-26'],
  ['bad_request', '%31', 'U-26'],
  ['bad_request', '', 'U-26'],
  ['bad_request', '1\r\nx-injected: 1', 'U-26'],
  ['bad_request', 2 ** 53, 'U-25'],
  ['not_found', '9007199254740993', 'U-25'],
] as const)('every entry point reports %s for order %j [%s]', async (code, given, _point) => {
  const id = given === 'an order of another account' ? service.state.orders('otherAccount').page(0, 1)[0]?.id : given;
  const before = service.journal.total();
  const outcome = await readEverywhere((entryPoint) => entryPoint.getOrder(id), `order ${id}`);
  expect(outcome).toMatchObject({ rejected: code });
  expect(service.journal.total() - before).toBe(code === 'not_found' ? entryPoints.length : 0);
});

// The MCP server reads an empty status, and a page or `per_page` of 0, as an omitted argument.
test.each(['offen', 'BEZAHLT', '__proto__', 'bezahlt&page=2'])(
  'every entry point rejects the status %j before anything is sent [S-33 U-04]',
  async (status) => {
    const before = service.journal.total();
    expect(await readEverywhere((entryPoint) => entryPoint.list(status), 'list')).toMatchObject({
      rejected: 'bad_request',
    });
    expect(service.journal.total()).toBe(before);
  },
);

test.each([{ page: -1 }, { page: 1.5 }, { perPage: -1 }, { perPage: 51 }, { page: 2 ** 53 }])(
  'every entry point with pages rejects %j before anything is sent [S-48 U-01 U-02]',
  async (query) => {
    const before = service.journal.total();
    expect(await readEverywhere((entryPoint) => entryPoint.page?.(query), 'page')).toMatchObject({
      rejected: 'bad_request',
    });
    expect(service.journal.total()).toBe(before);
  },
);

test('every entry point reports why the API rejects access [S-64 S-67 S-68]', async () => {
  service.state.setBusiness('business', { company: '', vat_id: '' });
  expect(await readEverywhere((entryPoint) => entryPoint.getMe(), '403')).toMatchObject({
    rejected: 'not_business_account',
  });
  for (const { name } of service.state.keys().filter(({ account }) => account === 'business')) {
    service.state.revokeKey(name);
  }
  expect(await readEverywhere((entryPoint) => entryPoint.list(), '401')).toMatchObject({ rejected: 'authentication' });
});

test('no entry point has violated the API docs [S-02 S-59 S-60]', () => {
  expect(service.journal.violations()).toEqual([]);
});
