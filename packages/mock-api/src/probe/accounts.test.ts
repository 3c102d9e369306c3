import { expect, test } from 'vitest';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock.ts';
import { profileNames } from '../settings/profiles.ts';
import { planLines } from './ask/questions.ts';
import { all, frozenAt, probeMock, reads } from './in-process.fixture.ts';
import { renderReport } from './render.ts';

test('recognises the number of pages of an account without orders [U-06]', async () => {
  for (const emptyPages of ['0', '1'] as const) {
    const report = await probeMock(createMock({ frozenAt, orders: 0, set: { emptyPages } }), all);
    expect(report.points.find(({ id }) => id === 'U-06')?.settings).toEqual({ emptyPages });
    expect(report.points.filter(({ state }) => state === 'notSeen').length).toBeGreaterThan(20);
    expect(report.readable).toBe(true);
  }
});

test('recognises the company of an account with only a VAT ID [U-46]', async () => {
  for (const emptyText of ['empty', 'null', 'absent'] as const) {
    const mock = createMock({ frozenAt, set: { emptyText } });
    const report = await probeMock(mock, reads, { apiKey: mock.keys.otherAccount });
    expect(report.points.find(({ id }) => id === 'U-46')?.settings).toEqual({ emptyText });
    const again = createMock({ frozenAt, set: report.set });
    const second = await probeMock(again, reads, { apiKey: again.keys.otherAccount });
    expect(second.flags).toEqual(report.flags);
  }
});

test('reads limit and window from a RateLimit-Policy header without a 429 [U-38] [U-39]', async () => {
  const mock = createMock({ frozenAt, set: { rateHeaders: 'draft', limit: 80, windowMs: 30_000 } });
  const { set, points } = await probeMock(mock, reads);
  expect(set).toMatchObject({ rateHeaders: 'draft', limit: '80', windowMs: '30000' });
  expect(points.find(({ id }) => id === 'U-37')?.state).toBe('notAsked');
});

test('sends one request per second and waits after a 429 [S-84]', async () => {
  const quiet = createMock({ frozenAt });
  await probeMock(quiet, reads);
  expect(quiet.journal.violations()).toEqual([]);
  expect(quiet.journal.entries().filter(({ status }) => status === 429)).toEqual([]);
  const busy = createMock({ frozenAt, limit: 30 });
  const report = await probeMock(busy, reads);
  expect(busy.journal.violations()).toEqual([]);
  expect(report.stopped).toBeUndefined();
  expect(report.points.find(({ id }) => id === 'U-39')?.text).toMatch(/a 429 after 30 requests/);
});

test('by default, sends only documented GET requests, at most 45', async () => {
  const mock = createMock({ frozenAt });
  const report = await probeMock(mock, reads);
  const entries = mock.journal.entries();
  expect(entries).toHaveLength(report.questions);
  expect(report.questions).toBeLessThanOrEqual(45);
  expect(entries.filter(({ method, violations }) => method !== 'GET' || violations.length > 0)).toEqual([]);
});

test('with all flags, sends only GET, HEAD and OPTIONS, within the announced counts', async () => {
  for (const set of [{}, { limit: 20 }, { params: 'clamp', window: 'extend' }] as const) {
    const asked = new Map<string, number>();
    const mock = createMock({ frozenAt, set });
    const onAnswer = ({ question: { name } }: { question: { name: string } }) =>
      asked.set(name, (asked.get(name) ?? 0) + 1);
    const report = await probeMock(mock, all, { onAnswer });
    expect([...new Set(methodsOf(mock))].sort()).toEqual(['GET', 'HEAD', 'OPTIONS']);
    expect(report.questions).toBeLessThanOrEqual(report.maxQuestions);
    expect(report.stopped).toBeUndefined();
    expect(Math.max(...asked.values())).toBeLessThanOrEqual(109);
  }
  expect(planLines(new Set(['reads'])).reduce((sum, line) => sum + Number.parseInt(line, 10), 0)).toBe(45);
});

test('the text report lists each point once and fits the terminal width', async () => {
  for (const profile of profileNames) {
    for (const asked of [reads, all]) {
      const report = await probeMock(createMock({ frozenAt, profile }), asked);
      const lines = renderReport(report, 100).split('\n');
      expect(lines.filter((line) => line.length > 100)).toEqual([]);
      const ids = lines.flatMap((line) => /^ {2}(U-\d\d) /.exec(line)?.[1] ?? []);
      expect(ids.toSorted()).toEqual(report.points.map(({ id }) => id));
    }
  }
});

const methodsOf = (mock: Mock): string[] => mock.journal.entries().map(({ method }) => method);
