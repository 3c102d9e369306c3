import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faultKinds } from '../faults/fault.ts';
import { scenarioNames } from '../scenarios/scenarios.ts';
import { changeSettings, createSettings } from './profiles.ts';
import { type SettingName, settingDefinitions } from './settings.ts';

const names = Object.keys(settingDefinitions) as SettingName[];

test('U-01 every setting answers open points that exist, and says so in one sentence', () => {
  for (const name of names) {
    const { points, about } = settingDefinitions[name];
    for (const point of points.split(' ')) {
      const number = Number(/^U-(\d\d)$/.exec(point)?.[1]);
      expect(number >= 1 && number <= 63, name).toBe(true);
    }
    expect(about, name).toMatch(/^\S[^\n]{10,}\.$/);
  }
});

test('U-01 strict takes the default of every setting; lenient and hostile differ and are free of contradictions', () => {
  const strict = createSettings();
  for (const name of names) expect(strict[name]).toEqual(settingDefinitions[name].default);
  expect(createSettings('lenient')).not.toEqual(strict);
  const hostile = createSettings('adversarial');
  expect(names.filter((name) => JSON.stringify(hostile[name]) !== JSON.stringify(strict[name])).length).toBeGreaterThan(
    30,
  );
  for (const profile of ['lenient', 'adversarial']) {
    const again = changeSettings(strict, createSettings(profile));
    expect(again).toEqual(createSettings(profile));
  }
});

test('U-12 a setting goes by its name, or by a number that only it has', () => {
  expect(createSettings('strict', { ineligibleCodes: 'null' }).ineligibleCodes).toBe('null');
  expect(createSettings('strict', { 'U-12': 'absent' }).ineligibleCodes).toBe('absent');
  expect(createSettings('strict', { 'u-05': '404' }).pageBeyondLast).toBe('404');
  expect(createSettings('strict', { head: true, cors: false })).toMatchObject({ head: 'on', cors: 'off' });
  expect(createSettings('strict', { limit: '100', windowMs: '500' })).toMatchObject({ limit: 100, windowMs: 500 });
  expect(createSettings('strict', { missing: 'order.id,me.email' }).missing).toEqual(['order.id', 'me.email']);
});

test('U-35 unknown names, wrong values and contradictions are refused with what is allowed', () => {
  const refused =
    (set: object, profile = 'strict') =>
    () =>
      createSettings(profile, set as Record<string, unknown>);
  expect(refused({}, 'lax')).toThrow('there is no profile "lax"; the profiles are strict, lenient, adversarial');
  expect(refused({}, 'constructor')).toThrow(/no profile/);
  expect(refused(5 as never)).toThrow('settings are an object');
  expect(refused({ colour: 'red' })).toThrow(/no setting "colour"; the settings are params, /);
  expect(refused({ toString: 'red' })).toThrow(/no setting "toString"/);
  expect(refused({ 'U-04': 'empty' })).toThrow(
    'U-04 has several settings: unknownStatus, emptyStatus; name one of them',
  );
  expect(refused({ 'U-60': 'x' })).toThrow(/U-60 has no setting/);
  expect(refused({ money: 'gold' })).toThrow(/money is one of string, number, .*, not "gold"/);
  expect(refused({ limit: '0' })).toThrow('limit is a whole number from 1 to 1000000, or off, not "0"');
  expect(refused({ windowMs: '1.5' })).toThrow(/windowMs is a whole number/);
  expect(refused({ perPageMax: 51 })).toThrow(/perPageMax is a whole number from 1 to 50/);
  expect(refused({ missing: ['order.price'] })).toThrow(/missing takes me.user_id, .*, not "order.price"/);
  expect(refused({ missing: 'order.id', nulls: 'order.id' })).toThrow('order.id cannot be both missing and null');
  expect(refused({ order: 'limit,auth,business,path,params' })).toThrow(/cannot have limit before auth/);
  expect(refused({ order: 'auth,path' })).toThrow(/exactly once/);
  expect(refused({ zahlungsstatus: '' })).toThrow('zahlungsstatus needs at least one value');
});

test('U-01 the README lists every setting, fault and scenario', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const words = [...names, ...Object.keys(faultKinds), ...scenarioNames].map((name) => `\`${name}\``);
  expect(words.filter((word) => !readme.includes(word))).toEqual([]);
  for (const name of names) {
    const setting = settingDefinitions[name];
    if (setting.kind !== 'choice') continue;
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
    for (const value of setting.values) expect(row, name).toContain(`\`${value}\``);
  }
});
