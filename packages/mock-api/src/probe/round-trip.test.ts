import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMock } from '../engine.ts';
import type { Mock } from '../mock.ts';
import { changeSettings, createSettings, profileNames, type SettingInput } from '../settings/profiles.ts';
import { type SettingName, settingDefinitions } from '../settings/settings.ts';
import { all, frozenAt, probeMock, reads, withMock } from './in-process.fixture.ts';

/** Values to try for the settings whose values can't be listed. */
const samples: Partial<Record<SettingName, readonly string[]>> = {
  perPageMax: ['1', '7'],
  windowMs: ['30000'],
  limit: ['off', '30', '80'],
  zahlungsstatus: ['null', 'überfällig,teilbezahlt'],
  lieferstatus: ['in_bearbeitung,versendet'],
  missing: [
    'me.email',
    'orders[].created_at',
    'pagination.total',
    'license_codes[].code_typ',
    'order.id,items[].menge',
  ],
  nulls: ['orders[].status', 'pagination.pages', 'order.items', 'license_codes[].license_key'],
};
/**
 * Settings that the probe cannot see here, since the account, a mock without a server, or responses in general don't
 * show them.
 */
const hidden: readonly SettingName[] = ['errorText', 'emptyText', 'emptyPages', 'compress', 'httpsOnly'];

const cases = Object.entries(settingDefinitions).flatMap(([key, setting]) => {
  const name = key as SettingName;
  if (hidden.includes(name)) return [];
  const values = setting.kind === 'choice' ? setting.values.slice(1) : samples[name];
  if (!values) throw new Error(`The setting ${name} is new; give it a sample.`);
  return [{ name, values }];
});

/** Removes the values that differ between accounts. Only the types and names of fields remain. */
const typesOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...new Set(value.map((inner) => JSON.stringify(typesOf(inner))))].sort();
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, typesOf(inner)]));
};

const targets = [
  ...['/me', '/orders', '/orders?page=99', '/orders?per_page=50&page=2', '/orders?page=0', '/orders?per_page=0'],
  ...['/orders?per_page=51', '/orders?page=2abc', '/orders?status=x', '/orders/abc', '/orders/1', '/x'],
];

/** Returns the shapes of responses, and how many requests the limit accepts. */
const behaviour = async (mock: Mock): Promise<unknown[]> => {
  mock.reset();
  const headers = { accept: 'application/json', authorization: `Bearer ${mock.keys.business}` };
  const seen: unknown[] = [];
  for (const target of targets) {
    const response = await mock.fetch(`http://127.0.0.1/api/v1${target}`, { headers });
    const text = await response.text();
    const types = /^\{/.test(text) ? typesOf(JSON.parse(text)) : text;
    seen.push([target, response.status, response.headers.get('content-type'), types]);
    mock.clock.advance(70_000);
  }
  let passed = 0;
  for (let n = 0; n < 90; n++) passed += (await mock.fetch('/api/v1/me', { headers })).status === 429 ? 0 : 1;
  return [...seen, passed];
};

/** Probes a mock, and compares it with a mock that has the flags of the report. */
const expectSameShapes = async (set: SettingInput): Promise<void> => {
  const mock = createMock({ frozenAt, set });
  const report = await probeMock(mock, all);
  expect({ set, notCovered: report.notCovered }).toEqual({ set, notCovered: [] });
  const again = createMock({ frozenAt, set: report.set });
  expect({ set, flags: report.flags, seen: await behaviour(again) }).toEqual({
    set,
    flags: report.flags,
    seen: await behaviour(mock),
  });
};

/** Combinations of seven settings, so that a few probes show every value. */
const rounds = Array.from({ length: Math.ceil(cases.length / 7) }, (_, n) => cases.slice(n * 7, n * 7 + 7)).flatMap(
  (some) =>
    Array.from({ length: Math.max(...some.map(({ values }) => values.length)) }, (_, turn) =>
      Object.fromEntries(some.map(({ name, values }) => [name, values[turn % values.length] as string])),
    ),
);

test.each(rounds.map((set) => [JSON.stringify(set), set] as const))(
  'finds flags that are equivalent to %s',
  async (_, set) => {
    await expectSameShapes(set);
  },
);

test.each([
  ['nulls', 'license_codes[].download_url_64'],
  ['nulls', 'license_codes[].download_url_32'],
] as const)('detects a nullable field that is null in every response: %s=%s', async (name, value) => {
  const { set, notCovered } = await probeMock(createMock({ frozenAt, set: { [name]: value } }), reads);
  expect([set, notCovered]).toEqual([{ [name]: value }, []]);
});

const hiding: readonly SettingName[] = ['totalIgnoresFilter', 'perPageMax', 'window', 'windowMs', 'limit'];

test.each(
  cases.flatMap(({ name, values }) => (hiding.includes(name) ? values.map((value) => [name, value] as const) : [])),
)('finds the flag that is equivalent to the single setting %s=%s', async (name, value) => {
  await expectSameShapes({ [name]: value });
});

test('finds the length of a window even if the window model makes it hard to see [U-38]', async () => {
  const { set } = await probeMock(createMock({ frozenAt, set: { windowMs: 30_000 } }), all);
  expect(set).toEqual({ windowMs: '30000' });
  await expectSameShapes({ windowMs: '30000', window: 'sliding', rateHeaders: 'draft' });
  await expectSameShapes({ windowMs: '30000', window: 'bucket' });
});

test.each(['fixed', 'sliding', 'slidingStrict', 'lockout', 'extend', 'bucket', 'minute'] as const)(
  'finds flags that are equivalent to a %s window of two minutes [U-38]',
  async (window) => {
    await expectSameShapes({ windowMs: '120000', window });
  },
);

test('finds flags that are equivalent to any five settings', async () => {
  const oneOf = fc
    .constantFrom(...cases)
    .chain(({ name, values }) => fc.tuple(fc.constant(name), fc.constantFrom(...values)));
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(oneOf, { maxLength: 5, selector: ([name]) => name }), async (pairs) => {
      const set = Object.fromEntries(pairs) as SettingInput;
      try {
        changeSettings(createSettings(), set);
      } catch {
        return; // These settings contradict each other.
      }
      await expectSameShapes(set);
    }),
    { numRuns: 6 },
  );
});

test.each(profileNames)('finds flags that are equivalent to the profile %s', async (profile) => {
  const report = await probeMock(createMock({ frozenAt, profile }), all);
  expect(report.notCovered).toEqual([]);
  expect(report.flags.length > 0).toBe(profile !== 'strict');
});

test('detects compression over HTTP without violating a statement [U-56]', async () => {
  for (const compress of ['off', 'gzip', 'br'] as const) {
    const report = await withMock({ set: { compress } }, true, (mock, more) => probeMock(mock, reads, more));
    expect(report.set).toEqual(compress === 'off' ? {} : { compress });
    expect(report.statements.filter(({ broken }) => broken > 0)).toEqual([]);
  }
});
