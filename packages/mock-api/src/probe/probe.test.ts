import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { type ProfileName, profileNames, type SettingInput } from '../settings/profiles.ts';
import { type SettingName, settingDefinitions } from '../settings/settings.ts';
import { type Asked, all, baseUrl, clockOf, type FetchLike, frozenAt, probeMock, reads } from './in-process.fixture.ts';
import { type ProbeReport, probe } from './probe.ts';
import { planFor } from './questions.ts';
import { renderReport } from './render.ts';
import { createProxy, phpService, strictService } from './three-services.fixture.ts';

const asked = { withMalformed: true, withRateLimit: false };
const probeService = (fetch: FetchLike, more = {}): Promise<ProbeReport> =>
  probe({ baseUrl, apiKey: 'secret', fetch, clock: clockOf(createMock({ frozenAt })), ...asked, ...more });
const pointOf = ({ points }: ProbeReport, name: SettingName) => points.find(({ setting }) => setting === name);
const brokenIn = ({ statements }: ProbeReport) => statements.filter(({ holds }) => !holds).map(({ id }) => id);

/** Settings that the responses of a profile don't show. */
const hidden: Partial<Record<ProfileName, readonly string[]>> = {
  lenient: ['emptyText', 'emptyPages', 'rateHeaders'],
  adversarial: ['tieBreak', 'sortDate', 'compress', 'emptyText', 'zahlungsstatus', 'lieferstatus'],
};

test.each(profileNames)(
  'finds the settings of the profile %s, and a second run with them shows the same',
  async (profile) => {
    const mock = createMock({ frozenAt, profile });
    const flags = { ...all, withRateLimit: profile === 'adversarial' };
    const first = await probeMock(mock, flags);
    const expected = Object.entries(mock.settings())
      .filter(([name, value]) => String(value) !== String(settingDefinitions[name as SettingName].default))
      .filter(([name]) => !hidden[profile]?.includes(name))
      .map(([name, value]) => [name, String(value)]);
    expect(first.set).toEqual(Object.fromEntries(expected));
    if (profile === 'strict') return;
    const second = await probeMock(createMock({ frozenAt, set: first.set }), flags);
    for (const point of second.points.filter(({ setting }) => setting in first.set))
      expect(first.points).toContainEqual(point);
  },
);

test.each<[title: string, set: SettingInput, asked: Asked, found: object]>([
  ['the 429s', { limit: 30, window: 'fixed' }, { ...reads, withRateLimit: true }, { limit: '30', window: 'fixed' }],
  [
    'headers',
    { rateHeaders: 'draft', limit: 80, windowMs: 30_000 },
    reads,
    { rateHeaders: 'draft', limit: '80', windowMs: '30000' },
  ],
])('names the limit, the window and its length from %s [U-37 U-38 U-39]', async (_, set, asked, found) => {
  expect((await probeMock(createMock({ frozenAt, set }), asked)).set).toEqual(found);
});

test('shows how an account without orders, and one without a company, are described [U-06 U-46]', async () => {
  const empty = await probeMock(createMock({ frozenAt, orders: 0, set: { emptyPages: '1' } }), reads);
  expect(pointOf(empty, 'emptyPages')).toMatchObject({ id: 'U-06', value: '1', kit: 'copes' });
  const mock = createMock({ frozenAt, set: { emptyText: 'null' } });
  const other = await probeMock(mock, reads, { apiKey: mock.keys.otherAccount });
  expect(pointOf(other, 'emptyText')).toMatchObject({ id: 'U-46', value: 'null' });
});

test('sends one documented GET request per second, waits after a 429, and compares an order of another account with one that does not exist [S-08 S-84]', async () => {
  const mock = createMock({ frozenAt, limit: 20 });
  const report = await probeMock(mock, reads, { otherOrder: String(mock.samples.ofOtherAccount.id) });
  const entries = mock.journal.entries();
  expect([entries.length, report.stopped, report.maxQuestions]).toEqual([report.questions, undefined, 30]);
  expect(report.rejected).toBe(1);
  expect(entries.filter(({ method, violations }) => method !== 'GET' || violations.length > 0)).toEqual([]);
  expect(report.statements).toContainEqual(expect.objectContaining({ id: 'S-08', holds: true }));
});

test('with all flags, sends only GET requests, and no more of each kind than announced', async () => {
  const most = new Map<string, number>();
  for (const { label, max } of planFor(all)) most.set(label, (most.get(label) ?? 0) + max);
  const mock = createMock({ frozenAt, window: 'extend' });
  const report = await probeMock(mock, all, {
    onAnswer: ({ question: { label } }) => most.set(label, (most.get(label) ?? 0) - 1),
  });
  expect(mock.journal.entries().filter(({ method }) => method !== 'GET')).toEqual([]);
  expect([...most].filter(([, left]) => left < 0)).toEqual([]);
  expect(report.questions).toBeLessThanOrEqual(report.maxQuestions);
});

test('reports a list in another sequence, and a filter that does nothing, as broken statements [S-34 S-45]', async () => {
  const sorted = await probeMock(createMock({ frozenAt, set: { sortDate: 'other' } }), reads);
  expect([sorted.set, brokenIn(sorted)]).toEqual([{ sortDate: 'other' }, ['S-45']]);
  const unfiltered = await probeService((url, init) => strictService(url.replace(/status=[a-z]+&/, ''), init));
  expect(brokenIn(unfiltered)).toContain('S-34');
});

test('finds the settings for a strict server that is not the mock', async () => {
  const report = await probeService(strictService);
  expect([report.set, brokenIn(report)]).toEqual([{ billing: 'emptyObject' }, []]);
});

test('finds the settings for a server like PHP, and says what they do not cover', async () => {
  const { set, statements } = await probeService(phpService);
  expect(set).toEqual({ params: 'clamp', ids: 'string', billing: 'emptyArray' });
  expect(statements.find(({ id }) => id === '§2')?.service).toEqual(
    expect.arrayContaining(['me.user_id', 'items[].menge', 'pagination.total'].map((path) => `type of ${path}: text`)),
  );
});

test('says what a proxy does, and that no value of a setting does it', async () => {
  const report = await probeService(createProxy());
  expect(report.set).toEqual({ billing: 'emptyObject', unknownPath: 'html', rateHeaders: 'retryAfter', limit: '7' });
  expect(brokenIn(report)).toEqual(['S-12']);
  expect(renderReport(report)).toContain('If another program uses the key, ignore limit');
});

test('reports forms that no value of a setting has as untested', async () => {
  const report = await probeService(async (url, init) => {
    const text = await (await strictService(url, init)).text();
    return new Response(text.replaceAll('"created_at":"2026', '"created_at":"am 2026'));
  });
  expect(pointOf(report, 'dates')).toMatchObject({ kit: 'untested' });
  expect(pointOf(report, 'dates')).not.toHaveProperty('value');
});

test('says how to reach an API that redirects to HTTPS [U-31]', async () => {
  const report = await probeService(async (url) => Response.redirect(url.replace('http:', 'https:'), 308));
  expect(report.set).toEqual({ httpsOnly: 'redirect' });
  expect(pointOf(report, 'httpsOnly')).toMatchObject({ kit: 'note', note: expect.stringContaining('https: address') });
});
