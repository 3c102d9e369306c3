import { bundleNames, type Dialect, type SettingName, settings } from '@order-license/mock-api';
import { createInProcessHost } from '@order-license/testing/in-process-host';
import { expect, test } from 'vitest';
import { isOrderLicenseError, type OrderPage, type OrderSummary } from './index.ts';
import { createClient } from './portable/index.ts';

const statuses = ['ausstehend', 'bezahlt', 'abgeschlossen', 'storniert'] as const;
let made = 0;

const setUp = (dialect: Parameters<typeof createInProcessHost>[0]) => {
  const { clock, mock, host } = createInProcessHost(
    { orders: 130, ...dialect, set: { limit: 'off', ...dialect?.set } },
    { tripMs: () => 0 },
  );
  const apiKey = mock.keys.business;
  const baseUrl = `http://127.0.0.1:${++made}/api/v1`;
  const client = createClient({
    baseUrl,
    apiKey,
    host: host(apiKey),
    rateLimit: { requests: 100_000, minGapMs: 0 },
  });
  const raw = async (path: string) => {
    const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` };
    const response = await mock.fetch(baseUrl + path, { headers, redirect: 'manual' });
    const text = new TextDecoder().decode(await response.arrayBuffer());
    return response.status === 200 ? (JSON.parse(text) as { data: Record<string, unknown> }).data : undefined;
  };
  return { clock, mock, client, raw };
};

const outcome = async <T>(work: Promise<T>): Promise<T | string> => {
  try {
    return await work;
  } catch (error) {
    if (isOrderLicenseError(error)) return error.code;
    throw error;
  }
};

const walk = async (orders: AsyncIterable<OrderSummary>): Promise<OrderSummary[]> => {
  const all: OrderSummary[] = [];
  for await (const order of orders) all.push(order);
  return all;
};

/** What a client cannot do anything with: the field it leans on is not there, or the address serves something else. */
const refusals: Partial<Record<string, { me?: string; list?: string; detail?: string }>> = {
  'ids=big': { list: 'invalid_response' },
  'ids=negative': { detail: 'bad_request' },
  'httpsOnly=redirect': { me: 'invalid_response', list: 'invalid_response' },
  'httpsOnly=refuse': { me: 'not_business_account', list: 'not_business_account' },
  'missing=orders[].id': { list: 'invalid_response' },
  'nulls=orders[].id': { list: 'invalid_response' },
  'missing=pagination.pages': { list: 'invalid_response' },
  'nulls=pagination.pages': { list: 'invalid_response' },
  'missing=order.id': { detail: 'invalid_response' },
  'nulls=order.id': { detail: 'invalid_response' },
};

const valuesOf = (name: SettingName): readonly (string | number)[] => {
  const setting = settings[name];
  if (setting.kind === 'choice') return setting.values;
  if (setting.kind === 'number') return [setting.min, setting.default, setting.max];
  if (setting.kind === 'limit') return ['off', 1_000];
  if (setting.kind === 'text') return ['', 'Etwas ging schief.'];
  return setting.words && name !== 'order'
    ? setting.words
    : [setting.default.join(','), 'null'].slice(0, name === 'order' ? 1 : 2);
};
const names = Object.keys(settings) as SettingName[];
const cases = names.flatMap((name) =>
  valuesOf(name).map(
    (value) => [settings[name].points, `${name}=${value}`, { [name]: value } as Partial<Dialect>] as const,
  ),
);
const bundles = bundleNames.map((dialect) => ['U', dialect, { dialect, set: { ids: 'safe' } }] as const);

const prove = async (label: string, dialect: Parameters<typeof setUp>[0]) => {
  const { clock, mock, client, raw } = setUp(dialect);
  const expected = refusals[label] ?? {};

  const me = await clock.run(outcome(client.getMe()));
  expect(me).toEqual(expected.me ?? (await raw('/me')));

  const all = await clock.run(outcome(walk(client.orders())));
  if (expected.list) {
    expect(all).toBe(expected.list);
    return;
  }
  if (typeof all === 'string') throw new Error(`the walk ended with ${all}`);
  const ids = new Set(all.map(({ id }) => id));
  expect(ids.size).toBe(all.length);
  if (mock.dialect().tieBreak !== 'shuffle') expect(all).toHaveLength(130);

  const filtered = new Map<string, OrderSummary[]>();
  for (const status of statuses) filtered.set(status, await clock.run(walk(client.orders({ status }))));
  if (mock.dialect().tieBreak !== 'shuffle' && mock.dialect().perPageMax === 50) {
    const union = [...filtered.values()].flat().map(({ id }) => id);
    expect(new Set(union)).toEqual(ids);
    expect(union).toHaveLength(130);
  }

  for (const { id } of statuses.flatMap((status) => filtered.get(status)?.slice(0, 4) ?? [])) {
    const order = await clock.run(outcome(client.getOrder(id)));
    expect(order).toEqual(expected.detail ?? (await raw(`/orders/${id}`)));
  }
};

test.each(cases)('%s the client gives what the service gives, or says why not: %s', async (_points, label, set) => {
  await prove(label, { set });
});

test.each(bundles)('%s-points all at once, as the dialect `%s` has them', async (_points, label, dialect) => {
  await prove(label, dialect);
});

test('U-09 orders that an unstable order hides between two pages are reported', async () => {
  let reported = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const { clock, client } = setUp({ seed, orders: 400, set: { tieBreak: 'shuffle' } });
    const pages: OrderPage[] = [];
    const read = async () => {
      for await (const page of client.orderPages()) pages.push(page);
    };
    await clock.run(read());
    const last = pages.at(-1);
    const unseen = 400 - (last?.read ?? 0);
    expect(last?.changes?.unseen ?? 0).toBe(unseen);
    reported += unseen;
  }
  expect(reported).toBeGreaterThan(0);
});
