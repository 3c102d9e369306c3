import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { changeSettings, createSettings } from './profiles.ts';
import { type SettingName, settingDefinitions } from './settings.ts';

const names = Object.keys(settingDefinitions) as SettingName[];

test('every setting names existing open questions, and has a description of one sentence [U-01]', () => {
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

test.each<[set: Record<string, unknown>, read: object]>([
  [{ ineligibleCodes: 'null' }, { ineligibleCodes: 'null' }],
  [
    { futureValues: true, totalIgnoresFilter: false },
    { futureValues: 'on', totalIgnoresFilter: 'off' },
  ],
  [
    { limit: '100', windowMs: '500' },
    { limit: 100, windowMs: 500 },
  ],
  [{ missing: 'order.id,me.email' }, { missing: ['order.id', 'me.email'] }],
])('reads the settings %j as %j [U-12]', (set, read) => {
  expect(createSettings('strict', set)).toMatchObject(read);
});

test.each<[set: unknown, sentence: string, profile?: string]>([
  [{}, 'there is no profile "lax"; the profiles are strict, lenient, adversarial', 'lax'],
  [{}, 'no profile "constructor"', 'constructor'],
  [5, 'settings must be an object'],
  [{ colour: 'red' }, 'no setting "colour"; the settings are params, '],
  [{ toString: 'red' }, 'no setting "toString"'],
  [
    { money: 'gold' },
    'money must be one of string, number, oneDigit, integer, comma, dotComma, negative, null, not "gold"',
  ],
  [{ limit: '0' }, 'limit must be a whole number from 1 to 1000000, or off, not "0"'],
  [{ windowMs: '1.5' }, 'windowMs must be a whole number'],
  [{ perPageMax: 51 }, 'perPageMax must be a whole number from 1 to 50'],
  [{ missing: ['order.price'] }, ', not "order.price"'],
  [{ missing: 'order.id', nulls: 'order.id' }, 'order.id cannot be both missing and null'],
  [{ zahlungsstatus: '' }, 'zahlungsstatus needs at least one value'],
])('rejects the settings %j: %s [U-01]', (set, sentence, profile = 'strict') => {
  expect(() => createSettings(profile, set as Record<string, unknown>)).toThrow(sentence);
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
    /lists all (\d+) questions, .* of the (\d+) that have a setting/.exec(read('packages/mock-api/README.md')) ?? [];
  expect([all, some]).toEqual([String(open?.length), String(points.size)]);
});
