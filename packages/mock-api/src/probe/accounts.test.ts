import { expect, test } from 'vitest';
import { createMock } from '../engine.ts';
import { profileNames } from '../settings/profiles.ts';
import { settingDefinitions } from '../settings/settings.ts';
import { all, frozenAt, probeMock, reads } from './in-process.fixture.ts';
import { planFor } from './questions.ts';
import { renderReport } from './render.ts';

test('detects the number of pages of an account without orders [U-06]', async () => {
  for (const emptyPages of ['0', '1'] as const) {
    const report = await probeMock(createMock({ frozenAt, orders: 0, set: { emptyPages } }), reads);
    expect(report.settings.find(({ name }) => name === 'emptyPages')).toMatchObject({
      state: 'seen',
      value: emptyPages,
    });
    expect([report.readable, report.notCovered]).toEqual([true, []]);
  }
});

test('detects the settings of an account with three orders', async () => {
  const set = { money: 'comma', ineligibleCodes: 'null', pageBeyondLast: 'clamp' } as const;
  const report = await probeMock(createMock({ frozenAt, orders: 3, set }), reads);
  expect([report.set, report.notCovered]).toEqual([set, []]);
});

test('does not count the orders on a repeated last page twice [S-45]', async () => {
  for (const sortDate of ['created', 'other'] as const) {
    const mock = createMock({ frozenAt, orders: 30, set: { pageBeyondLast: 'clamp', sortDate } });
    const { set, statements } = await probeMock(mock, reads);
    const broken = statements.filter((statement) => statement.broken > 0).map(({ id }) => id);
    expect([set.sortDate, broken]).toEqual(sortDate === 'created' ? [undefined, []] : ['other', ['S-45']]);
  }
});

test('detects the settings of an account with more orders than the probe can list', async () => {
  const set = { pageBeyondLast: 'clamp', totalIgnoresFilter: 'on' } as const;
  const report = await probeMock(createMock({ frozenAt, orders: 5000, set }), reads);
  expect([report.set, report.notCovered]).toEqual([set, []]);
});

test('detects how a missing company is written for an account with only a VAT ID, and names the mock key to use [U-46]', async () => {
  for (const emptyText of ['empty', 'null', 'absent'] as const) {
    const mock = createMock({ frozenAt, set: { emptyText } });
    const report = await probeMock(mock, reads, { apiKey: mock.keys.otherAccount });
    expect(report.settings.find(({ name }) => name === 'emptyText')).toMatchObject({ state: 'seen', value: emptyText });
    expect([report.mockKey, report.notCovered]).toEqual(['otherAccount', []]);
  }
});

test('reads the limit and the window from a RateLimit-Policy header, even without a 429 [U-38 U-39]', async () => {
  const mock = createMock({ frozenAt, set: { rateHeaders: 'draft', limit: 80, windowMs: 30_000 } });
  const { set } = await probeMock(mock, reads);
  expect(set).toEqual({ rateHeaders: 'draft', limit: '80', windowMs: '30000' });
});

test('sends one request per second and waits after a 429 [S-84]', async () => {
  const quiet = createMock({ frozenAt });
  await probeMock(quiet, reads);
  expect(quiet.journal.violations()).toEqual([]);
  expect(quiet.journal.entries().filter(({ status }) => status === 429)).toEqual([]);
  const busy = createMock({ frozenAt, limit: 20 });
  const report = await probeMock(busy, reads);
  expect(busy.journal.violations()).toEqual([]);
  expect([report.stopped, report.set]).toEqual([undefined, { limit: '20' }]);
});

test('by default, sends only documented GET requests, at most 45', async () => {
  const mock = createMock({ frozenAt });
  const report = await probeMock(mock, reads);
  const entries = mock.journal.entries();
  expect(entries).toHaveLength(report.questions);
  expect(report.maxQuestions).toBeLessThanOrEqual(45);
  expect(entries.filter(({ method, violations }) => method !== 'GET' || violations.length > 0)).toEqual([]);
});

test('with all flags, sends only GET requests, and no more than announced', async () => {
  const plan = new Map(planFor(all).map(({ label, max }) => [label, max]));
  for (const set of [{}, { limit: 20 }, { params: 'clamp', window: 'extend' }] as const) {
    const asked = new Map<string, number>();
    const mock = createMock({ frozenAt, set });
    const report = await probeMock(mock, all, {
      onAnswer: ({ question: { label }, status }) => status !== 429 && asked.set(label, (asked.get(label) ?? 0) + 1),
    });
    expect(mock.journal.entries().filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(report.questions).toBeLessThanOrEqual(report.maxQuestions);
    expect(report.stopped).toBeUndefined();
    expect([...asked].filter(([label, count]) => count > (plan.get(label) ?? 0))).toEqual([]);
  }
});

test('compares an order of another account with one that does not exist [S-08]', async () => {
  const mock = createMock({ frozenAt });
  const report = await probeMock(mock, reads, { otherOrder: String(mock.samples.ofOtherAccount.id) });
  expect(report.statements.find(({ id }) => id === 'S-08')).toMatchObject({ held: 1, broken: 0 });
});

test('malformed requests never count as violations', async () => {
  const [some, more] = [reads, { ...reads, withMalformed: true }].map((asked) =>
    probeMock(createMock({ frozenAt, profile: 'adversarial' }), asked),
  );
  expect((await more)?.statements).toEqual((await some)?.statements);
});

test('reports the status words as seen if an account has all payment statuses [U-18 U-19]', async () => {
  const { settings } = await probeMock(createMock({ frozenAt }), reads);
  const words = settings.filter(({ name }) => name === 'zahlungsstatus' || name === 'lieferstatus');
  expect(words.map(({ state }) => state)).toEqual(['seen', 'seen']);
});

test('the text report names each setting once and fits the terminal width', async () => {
  for (const profile of profileNames) {
    const text = renderReport(await probeMock(createMock({ frozenAt, profile }), reads), 100);
    expect(text.split('\n').filter((line) => line.length > 100)).toEqual([]);
    const settings = text.slice(text.indexOf('SETTINGS INFERRED'), text.search(/\n(TO MAKE|FOR) THE MOCK/));
    for (const name of Object.keys(settingDefinitions)) {
      // The flag --with-rate-limit is not the setting `limit`.
      const named = settings.match(new RegExp(`(?<![\\w-])${name}(?=[=,:]|$)`, 'gm'));
      expect([name, named?.length]).toEqual([name, 1]);
    }
  }
});
