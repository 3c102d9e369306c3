import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { changeSettings, createSettings } from './profiles.ts';
import { type SettingName, settingDefinitions } from './settings.ts';

const names = Object.keys(settingDefinitions) as SettingName[];

test('every setting has valid open questions and a one-sentence description [U-01]', () => {
  for (const name of names) {
    const { points, about } = settingDefinitions[name];
    for (const point of points.split(' ')) {
      const number = Number(/^U-(\d\d)$/.exec(point)?.[1]);
      expect(number >= 1 && number <= 63, name).toBe(true);
    }
    expect(about, name).toMatch(/^\S[^\n]{10,}\.$/);
  }
});

test('the profile strict has all defaults, and the other profiles contain no contradictions [U-01]', () => {
  const strict = createSettings();
  for (const name of names) expect(strict[name]).toEqual(settingDefinitions[name].default);
  expect(createSettings('lenient')).not.toEqual(strict);
  const adversarial = createSettings('adversarial');
  expect(
    names.filter((name) => JSON.stringify(adversarial[name]) !== JSON.stringify(strict[name])).length,
  ).toBeGreaterThan(20);
  for (const profile of ['lenient', 'adversarial']) {
    const again = changeSettings(strict, createSettings(profile));
    expect(again).toEqual(createSettings(profile));
  }
});

test('accepts a setting by its name, or by its U-number if no other setting has the same number [U-12]', () => {
  expect(createSettings('strict', { ineligibleCodes: 'null' }).ineligibleCodes).toBe('null');
  expect(createSettings('strict', { 'U-12': 'absent' }).ineligibleCodes).toBe('absent');
  expect(createSettings('strict', { 'u-05': '404' }).pageBeyondLast).toBe('404');
  expect(createSettings('strict', { futureValues: true, totalIgnoresFilter: false })).toMatchObject({
    futureValues: 'on',
    totalIgnoresFilter: 'off',
  });
  expect(createSettings('strict', { limit: '100', windowMs: '500' })).toMatchObject({ limit: 100, windowMs: 500 });
  expect(createSettings('strict', { missing: 'order.id,me.email' }).missing).toEqual(['order.id', 'me.email']);
});

test('rejects unknown names, invalid values and contradictions [U-01]', () => {
  const rejected =
    (set: object, profile = 'strict') =>
    () =>
      createSettings(profile, set as Record<string, unknown>);
  expect(rejected({}, 'lax')).toThrow('there is no profile "lax"; the profiles are strict, lenient, adversarial');
  expect(rejected({}, 'constructor')).toThrow(/no profile/);
  expect(rejected(5 as never)).toThrow('settings must be an object');
  expect(rejected({ colour: 'red' })).toThrow(/no setting "colour"; the settings are params, /);
  expect(rejected({ toString: 'red' })).toThrow(/no setting "toString"/);
  expect(rejected({ 'U-02': 7 })).toThrow('U-02 has several settings: params, perPageMax; name one of them');
  expect(rejected({ 'U-60': 'x' })).toThrow(/U-60 has no setting/);
  expect(rejected({ money: 'gold' })).toThrow(/money must be one of string, number, .*, not "gold"/);
  expect(rejected({ limit: '0' })).toThrow('limit must be a whole number from 1 to 1000000, or off, not "0"');
  expect(rejected({ windowMs: '1.5' })).toThrow(/windowMs must be a whole number/);
  expect(rejected({ perPageMax: 51 })).toThrow(/perPageMax must be a whole number from 1 to 50/);
  expect(rejected({ missing: ['order.price'] })).toThrow(/missing can contain only me.user_id, .*, not "order.price"/);
  expect(rejected({ missing: 'order.id', nulls: 'order.id' })).toThrow('order.id cannot be both missing and null');
  expect(rejected({ zahlungsstatus: '' })).toThrow('zahlungsstatus needs at least one value');
});

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

test('docs/assumptions.md lists every setting with its values at each of its open questions [U-01]', () => {
  const rows = read('docs/assumptions.md').split('\n');
  for (const name of names) {
    const setting = settingDefinitions[name];
    for (const point of setting.points.split(' ')) {
      const row = rows.find((line) => line.startsWith(`| ${point} `)) ?? '';
      expect(row, `${name} ${point}`).toContain(`\`${name}\``);
    }
    const all = rows.filter((line) => line.includes(`\`${name}\``)).join();
    for (const value of setting.kind === 'choice' ? setting.values : []) expect(all, name).toContain(`\`${value}\``);
  }
});

test('the README states how many open questions have a setting [U-01]', () => {
  const points = new Set(names.flatMap((name) => settingDefinitions[name].points.split(' ')));
  const open = read('docs/assumptions.md').match(/^\| U-\d\d /gm);
  const [, all, some] =
    /lists all (\d+), .* of the (\d+) that have one/.exec(read('packages/mock-api/README.md')) ?? [];
  expect([all, some]).toEqual([String(open?.length), String(points.size)]);
});
