import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { listen } from '../server/listen.ts';
import { type ProfileName, profileNames, type SettingInput } from '../settings/profiles.ts';
import { type SettingName, settingDefinitions } from '../settings/settings.ts';
import { all, baseUrl, type FetchLike, frozenAt, probeMock, reads } from './in-process.fixture.ts';
import { another } from './kit.ts';
import { type ProbeReport, probe } from './probe.ts';
import { countFor, planFor } from './questions.ts';
import { renderReport } from './render.ts';
import { createProxy, phpService, strictService } from './three-services.fixture.ts';

const probeService = (fetch: FetchLike, more = {}): Promise<ProbeReport> =>
  probe({ baseUrl, apiKey: 'secret', fetch, sleep: async () => {}, ...all, ...more });
const pointOf = ({ points }: ProbeReport, name: SettingName) => points.find(({ setting }) => setting === name);
const brokenIn = ({ statements }: ProbeReport) => statements.filter(({ holds }) => !holds).map(({ id }) => id);

/** Changes the orders in every list of the strict service. */
const withOrders =
  (change: (order: Record<string, unknown>, n: number) => object): FetchLike =>
  async (url, init) => {
    const response = await strictService(url, init);
    const { data, ...body } = (await response.json()) as Record<string, Record<string, unknown>>;
    if (!Array.isArray(data?.orders)) return Response.json({ ...body, data }, response);
    return Response.json({ ...body, data: { ...data, orders: data.orders.map(change) } }, response);
  };

/** Returns the settings that differ from the defaults, as in a report. */
const differences = (set: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(set)
      .map(([name, value]) => [name, String(value)] as const)
      .filter(([name, value]) => value !== String(settingDefinitions[name as SettingName].default)),
  );

/** Settings that the responses to the mock's business account don't show. */
const notShown = ['window', 'errorText', 'emptyText', 'emptyPages', 'httpsOnly', 'compress'];

test.each<[setting: string, value: string | number, more?: SettingInput]>([
  ...Object.entries(settingDefinitions).flatMap(([name, setting]): [string, string, SettingInput?][] =>
    setting.kind === 'choice' && !notShown.includes(name)
      ? setting.values.map((value) => [name, value, name === 'rateHeaders' ? { limit: 30 } : {}])
      : [],
  ),
  ['perPageMax', 7],
  ['limit', 80, { rateHeaders: 'x' }],
  ['windowMs', 30_000, { rateHeaders: 'draft' }],
  ['zahlungsstatus', 'null'],
  ['lieferstatus', 'null'],
  ['missing', 'me.email,orders[].id,pagination.page'],
  ['missing', 'orders[].status,order.waehrung,items[].menge,license_codes[].download_url_32'],
  ['nulls', 'me.email,orders[].id,pagination.page'],
  ['nulls', 'orders[].status,order.waehrung,items[].menge,license_codes[].license_key'],
])('finds %s=%s in the responses of a mock that has this value', async (setting, value, more = {}) => {
  const set: SettingInput = { [setting]: value, ...more };
  const report = await probeMock(createMock({ frozenAt, set }), all);
  const isLimitStated = set.rateHeaders === 'x' || set.rateHeaders === 'draft';
  expect(report.set).toEqual(differences({ ...set, ...(!isLimitStated && { limit: 60 }) }));
  expect(report.points.filter(({ value }) => value === undefined)).toEqual([]);
});

/** Settings of a profile that the mock's data doesn't show. */
const hidden: Partial<Record<ProfileName, readonly string[]>> = {
  lenient: ['emptyText', 'emptyPages', 'rateHeaders'],
  adversarial: ['window', 'tieBreak', 'sortDate', 'compress', 'emptyText', 'zahlungsstatus', 'lieferstatus'],
};

test.each(profileNames)(
  'finds the settings of the profile %s, and finds them again in a mock that has these settings',
  async (profile) => {
    const mock = createMock({ frozenAt, profile });
    const first = await probeMock(mock, all);
    const shown = Object.entries(mock.settings()).filter(([name]) => !hidden[profile]?.includes(name));
    expect(first.set).toEqual(differences(Object.fromEntries(shown)));
    if (profile === 'strict') expect(brokenIn(first)).toEqual([]);
    const second = await probeMock(createMock({ frozenAt, set: first.set }), all);
    const isFound = ({ value }: { value?: string }) => value !== undefined;
    expect(second.points.filter(isFound)).toEqual(expect.arrayContaining(first.points.filter(isFound)));
  },
);

test.each(['gzip', 'br'] as const)('finds compress=%s [U-56]', async (compress) => {
  await using server = await listen({ set: { compress } });
  const report = await probeMock(server, reads, { baseUrl: server.baseUrl, fetch });
  expect(report.set).toEqual({ compress });
});

test('finds the settings for an account without orders and for one without a company [U-06 U-46]', async () => {
  const empty = await probeMock(createMock({ frozenAt, orders: 0, set: { emptyPages: '1' } }), reads);
  expect(pointOf(empty, 'emptyPages')).toMatchObject({ id: 'U-06', value: '1', kit: 'The kit copes.' });
  for (const emptyText of ['empty', 'null', 'absent'] as const) {
    const mock = createMock({ frozenAt, set: { emptyText } });
    const other = await probeMock(mock, reads, { apiKey: mock.keys.otherAccount });
    expect(pointOf(other, 'emptyText')).toMatchObject({ id: 'U-46', value: emptyText });
  }
});

test('sends one documented GET request per second, waits after a 429, and compares an order of another account with one that does not exist [S-08 S-84]', async () => {
  const mock = createMock({ frozenAt, limit: 20 });
  const report = await probeMock(mock, reads, { otherOrder: String(mock.samples.ofOtherAccount.id) });
  const entries = mock.journal.entries();
  expect([entries.length, report.stopped]).toEqual([report.requests, undefined]);
  expect(report.failed).toEqual(['GET /orders/{id}, listed orders of every status: returned 429']);
  expect(entries.filter(({ method, violations }) => method !== 'GET' || violations.length > 0)).toEqual([]);
  expect(report.statements).toContainEqual(expect.objectContaining({ id: 'S-08', holds: true }));
});

test('with all flags, sends only GET requests, and no more of each kind than announced', async () => {
  const most = new Map<string, number>();
  for (const { label, max } of planFor(all)) most.set(label, (most.get(label) ?? 0) + max);
  const mock = createMock({ frozenAt });
  const report = await probeMock(mock, all, {
    onAnswer: ({ question: { label } }) => most.set(label, (most.get(label) ?? 0) - 1),
  });
  expect(mock.journal.entries().filter(({ method }) => method !== 'GET')).toEqual([]);
  expect([...most].filter(([, left]) => left < 0)).toEqual([]);
  expect(report.requests).toBeLessThanOrEqual(countFor(all));
});

test('reports an unsorted list and a filter without effect as broken statements [S-34 S-45]', async () => {
  const sorted = await probeMock(createMock({ frozenAt, set: { sortDate: 'other' } }), reads);
  expect([sorted.set, brokenIn(sorted)]).toEqual([{ sortDate: 'other' }, ['S-45']]);
  const unfiltered = await probeService((url, init) => strictService(url.replace(/status=[a-z]+&/, ''), init));
  expect(brokenIn(unfiltered)).toContain('S-34');
});

test('finds the settings for a strict server that is not the mock', async () => {
  const report = await probeService(strictService);
  expect([report.set, brokenIn(report)]).toEqual([{ billing: 'emptyObject' }, []]);
});

test('finds the settings for a server like PHP, and reports the types that no setting covers', async () => {
  const { set, statements } = await probeService(phpService);
  expect(set).toEqual({ params: 'clamp', ids: 'string', billing: 'emptyArray' });
  expect(statements.find(({ id }) => id === '§2')?.service).toEqual(
    expect.arrayContaining(['me.user_id', 'items[].menge', 'pagination.total'].map((path) => `${path}: string`)),
  );
});

test('finds the settings for a proxy, and suggests no limit after a single 429', async () => {
  const report = await probeService(createProxy());
  expect(report.set).toEqual({ billing: 'emptyObject', unknownPath: 'html', rateHeaders: 'retryAfter' });
  expect([brokenIn(report), pointOf(report, 'limit')]).toEqual([['S-12'], undefined]);
  expect(report.failed).toContain('GET /orders?status=bezahlt&per_page=50: returned 429, HTML');
});

test('reports a form that no value of a setting has as untested, without quoting it', async () => {
  const report = await probeService(withOrders((order) => ({ ...order, created_at: `am ${order.created_at}` })));
  const kit = 'The kit is not tested with this.';
  expect(pointOf(report, 'dates')).toEqual({ id: 'U-24', setting: 'dates', found: [another], kit });
  expect(renderReport(report)).toContain(`dates: ${another}; no single value does the same. ${kit}`);
});

test('reports a field as missing if some orders lack it and others have null', async () => {
  const change = (order: object, n: number) => ({ ...order, waehrung: n % 2 === 0 ? undefined : null });
  expect((await probeService(withOrders(change))).set).toEqual({
    billing: 'emptyObject',
    missing: 'orders[].waehrung',
  });
});

test('reads an order whose status is in upper case, and reports the case', async () => {
  const upper = ({ status, ...order }: Record<string, unknown>) => ({ ...order, status: String(status).toUpperCase() });
  const report = await probeService(withOrders(upper));
  expect([report.set, brokenIn(report)]).toEqual([{ billing: 'emptyObject' }, ['S-19']]);
  expect(report.points.filter(({ value }) => value === undefined)).toEqual([]);
});

test('suggests no value if the API mixes the behavior of several values', async () => {
  const clampsSize: FetchLike = (url, init) => strictService(url.replace('per_page=51', 'per_page=50'), init);
  const report = await probeService(clampsSize);
  expect(pointOf(report, 'params')).toMatchObject({
    id: 'U-01 U-02 U-03',
    found: ['reject', 'clamp'],
    kit: 'The kit copes.',
  });
  expect(report.set).toEqual({ billing: 'emptyObject' });
  const someNull = await probeService(withOrders((order, n) => (n === 2 ? { ...order, created_at: null } : order)));
  expect(pointOf(someNull, 'dates')).toMatchObject({
    found: ['ok', 'null'],
    kit: expect.stringMatching(/^Orders without a date/),
  });
});

test('says how to reach an API that redirects to HTTPS [U-31]', async () => {
  const report = await probeService(async (url) => Response.redirect(url.replace('http:', 'https:'), 308));
  expect(report.set).toEqual({ httpsOnly: 'redirect' });
  expect(pointOf(report, 'httpsOnly')).toMatchObject({ kit: expect.stringContaining('https: address') });
});
