import { expect, test } from 'vitest';
import type { Mock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { profileNames } from '../settings/profiles.ts';
import { type SettingName, settingDefinitions } from '../settings/settings.ts';
import { type Asked, all, type FetchLike, probeMock, reads, withMock } from './in-process.fixture.ts';
import type { ProbeReport } from './report.ts';
import { unobservable } from './unobservable.ts';

/** Values for settings whose values cannot be listed. */
const samples: Partial<Record<SettingName, readonly string[]>> = {
  perPageMax: ['1', '7'],
  windowMs: ['1', '10000'],
  limit: ['off', '30', '1000000'],
  errorText: ['Etwas ging schief: „ü“ 🙂'],
  zahlungsstatus: ['null', 'überfällig,teilbezahlt,null'],
  lieferstatus: ['null', 'in_bearbeitung,null,versendet'],
};

const valuesOf = (name: SettingName): readonly string[] => {
  const setting = settingDefinitions[name];
  if (setting.kind === 'choice') return setting.values.filter((value) => value !== setting.default);
  const values = samples[name] ?? ('words' in setting ? setting.words : undefined);
  if (!values) throw new Error(`The setting ${name} is new; give it a sample.`);
  return values;
};

const names = Object.keys(settingDefinitions) as SettingName[];
const cases = names.flatMap((name) =>
  valuesOf(name).map((value) => ({
    name,
    value,
    label: `${name}=${value}`,
    points: settingDefinitions[name].points,
  })),
);

/** Visible only over a socket. */
const onTheWire: SettingName[] = ['compress'];
/** For these, the requests that pass the limit are compared too. */
const limits: SettingName[] = ['window', 'limit'];
/** The default questions don't recognise these. */
const needMalformed: SettingName[] = [
  ...(['params', 'unknownStatus', 'invalidId'] as const),
  ...(['unknownPath', 'accept', 'authScheme'] as const),
];
const needRateLimit = ['window', 'limit', 'rateHeaders=retryAfter', 'rateHeaders=retryAfterDate'];

const isListed = (list: readonly string[], name: string, value: string): boolean =>
  list.includes(name) || list.includes(`${name}=${value}`);
const hidden = unobservable.map(({ setting, value }) => (value === undefined ? setting : `${setting}=${value}`));

const targets = [
  ...['/me', '/orders', '/orders?page=2', '/orders?per_page=50&page=2', '/orders?page=99', '/orders/1', '/orders/abc'],
  ...['/orders?page=0', '/orders?per_page=0', '/orders?per_page=1000', '/orders?page=2abc', '/orders?per_page='],
  ...['/orders?status=bezahlt', '/orders?status=storniert&per_page=3&page=2', '/orders?status=x', '/orders?status='],
  ...['/orders?page=2&page=1', '/orders?x=1', '/me/', '/orders//', '/x', '/orders/1x'],
];
const forms: [string, RequestInit & { key?: string | null }][] = [
  ['/me', { method: 'HEAD' }],
  ['/me', { method: 'OPTIONS', key: null }],
  ['/me', { method: 'POST' }],
  ['/me', { headers: { accept: 'text/plain' } }],
  ['/me', { headers: { authorization: 'BEARER ' } }],
  ['/me', { key: null }],
  ['/x', { key: null }],
  ['/orders?page=0', { key: null }],
  ['/orders?page=0', { method: 'POST' }],
];

/** Returns the answers to requests that differ from those of a probe, and how many pass the limit. */
const behaviour = async (
  mock: Mock,
  { baseUrl, fetch }: { baseUrl: string; fetch: FetchLike },
  aboutLimit: boolean,
): Promise<string[]> => {
  const seen: string[] = [];
  const ask = async (path: string, { key, headers, ...init }: RequestInit & { key?: string | null } = {}) => {
    const given = { accept: 'application/json', 'accept-encoding': 'br, gzip', ...(headers as object) } as Record<
      string,
      string
    >;
    if (key !== null) given.authorization = `${given.authorization ?? 'Bearer '}${mock.keys.business}`;
    const response = await fetch(baseUrl + path, { ...init, headers: given, redirect: 'manual' });
    const text = await response.text();
    const fields = [...response.headers].filter(([name]) => name !== 'content-length').map((pair) => pair.join('='));
    seen.push([init.method, path, response.status, ...fields, text].join(' ').replaceAll(new URL(baseUrl).origin, ''));
    mock.clock.advance(1_100);
    return text;
  };
  mock.reset();
  for (const target of targets) await ask(target);
  for (const [path, init] of forms) await ask(path, init);
  const ids = [...(await ask('/orders?per_page=40')).matchAll(/"id":"?(-?\d+)/g)].map(([, id]) => id);
  for (const id of ids) await ask(`/orders/${id}`);
  if (!aboutLimit) return seen;
  mock.reset();
  mock.clock.advance(20_000);
  const pass = async (path = '/me') =>
    seen.push(
      String((await fetch(baseUrl + path, { headers: { authorization: `Bearer ${mock.keys.business}` } })).status),
    );
  for (const wait of [0, 15_000, 40_000, 6_000, 20_000, 61_000]) {
    mock.clock.advance(wait);
    for (let n = 0; n < 65; n++) await pass(n % 9 === 0 ? '/orders/1' : '/me');
  }
  return seen;
};

/** Probes a mock, then a strict mock with the flags that the first report has. */
const roundTrip = async (options: MockOptions, asked: Asked, name?: SettingName) => {
  const overHttp = name === undefined || onTheWire.includes(name);
  const aboutLimit = name !== undefined && limits.includes(name);
  const first = await withMock(options, overHttp, async (mock, more) => ({
    report: await probeMock(mock, asked, more),
    behaviour: await behaviour(mock, more, aboutLimit),
  }));
  const second = await withMock({ set: first.report.set }, overHttp, async (mock, more) => ({
    report: await probeMock(mock, asked, more),
    behaviour: await behaviour(mock, more, aboutLimit),
  }));
  return { first, second };
};

const findings = ({ points, set, statements }: ProbeReport) => ({ points, set, statements });

/** One path per object, since the others are read the same way. */
const sampledPaths = cases.filter(({ name, value }, n) => {
  const isPath = name === 'missing' || name === 'nulls';
  return !isPath || cases[n - 1]?.value.split('.')[0] !== value.split('.')[0];
});

test.each(sampledPaths)(
  'all questions recognise $label, or it is listed as unobservable [$points]',
  async ({ name, value }) => {
    const { first, second } = await roundTrip({ set: { [name]: value } }, all, name);
    expect(second.report.set).toEqual(first.report.set);
    if (isListed(hidden, name, value)) {
      expect(Object.keys(first.report.set)).not.toContain(name);
      return;
    }
    expect(findings(second.report)).toEqual(findings(first.report));
    expect(second.behaviour).toEqual(first.behaviour);
  },
);

test.each(cases)('the default questions recognise $label, unless it is listed [$points]', async ({ name, value }) => {
  const { first, second } = await roundTrip({ set: { [name]: value } }, reads, name);
  expect(second.report.set).toEqual(first.report.set);
  if (isListed([...needMalformed, ...needRateLimit, ...hidden], name, value)) {
    expect(Object.keys(first.report.set)).not.toContain(name);
    return;
  }
  expect(second.behaviour).toEqual(first.behaviour);
});

test.each(profileNames)(
  'probing a mock with the flags printed for the profile %s prints the same flags',
  async (profile) => {
    for (const asked of [reads, all]) {
      const { first, second } = await roundTrip({ profile }, asked);
      expect(second.report.set).toEqual(first.report.set);
      expect(second.report.flags).toEqual(first.report.flags);
    }
  },
);

test('the strict mock needs no flags and breaks no statement', async () => {
  for (const asked of [reads, all]) {
    const report = await withMock({}, true, (mock, more) => probeMock(mock, asked, more));
    expect(report.flags).toEqual([]);
    expect(report.statements.filter(({ broken }) => broken > 0)).toEqual([]);
  }
});
