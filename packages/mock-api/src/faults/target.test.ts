import { beforeEach, expect, test } from 'vitest';
import { createInnerMock } from '../mock.ts';
import { type Ask, send as request } from '../test-client.fixture.ts';
import type { FaultInput } from './rule.ts';

const mock = createInnerMock({ limit: 'off', orders: 60 });
beforeEach(() => mock.reset());

const send = (path: string, { method = 'GET', key = mock.keys.business }: Ask = {}): number => {
  const rawHeaders = key === null ? [] : ['Authorization', `Bearer ${key}`];
  return mock.answer({ method, target: path, rawHeaders, secure: false }).response.status;
};

/** Returns the requests that match a fault without a limit. */
const applied = (rule: Partial<FaultInput>, requests: readonly (readonly [string, Ask?])[]): string[] => {
  mock.faults.clear();
  mock.faults.add({ kind: '503', times: 'always', ...rule });
  return requests.filter(([path, ask]) => send(path, ask) === 503).map(([path]) => path);
};

const id = mock.state.orders('business').page(0, 1)[0]?.id as number;
const api = '/api/v1';
const reads = [`${api}/me`, `${api}/orders`, `${api}/orders?page=2&per_page=5`, `${api}/orders/${id}`] as const;
const stray = ['/', '/favicon.ico', '/api/v2/orders', `${api}/menu`, `${api}/orders/1/2`, `${api}/orders/`, api];
const all = [...reads, ...stray].map((path) => [path] as const);

test('faults match by operation, and never match unknown paths', () => {
  expect(applied({}, all)).toEqual(reads);
  expect(applied({ operation: 'me' }, all)).toEqual([reads[0]]);
  expect(applied({ operation: 'list' }, all)).toEqual([reads[1], reads[2]]);
  expect(applied({ operation: 'order' }, all)).toEqual([reads[3]]);
});

test('faults match by page, and a list request without page counts as page 1', () => {
  const pages = ['', '?page=1', '?page=2', '?page=2&status=bezahlt', '?page=x'].map(
    (query) => [`${api}/orders${query}`] as const,
  );
  expect(applied({ page: 1 }, pages)).toEqual([pages[0]?.[0], pages[1]?.[0]]);
  expect(applied({ page: 2 }, [...all, ...pages])).toEqual([reads[2], pages[2]?.[0], pages[3]?.[0]]);
});

test('faults match by order ID', () => {
  expect(applied({ id }, [...all, [`${api}/orders/${id + 1}`], [`${api}/orders/abc`]])).toEqual([reads[3]]);
});

test('faults match GET by default, or only the given method', () => {
  const methods = ['GET', 'HEAD', 'POST', 'OPTIONS'];
  const matched = (rule: Partial<FaultInput>) =>
    methods.filter((method) => applied(rule, [[reads[0], { method }]]).length > 0);
  expect([matched({}), matched({ method: 'POST' }), matched({ method: 'OPTIONS' })]).toEqual([
    ...[['GET'], ['POST'], ['OPTIONS']],
  ]);
});

test('faults match by key, even if it is revoked', () => {
  const keys = [mock.keys.business, mock.keys.businessSecond, mock.keys.revoked, null];
  const matched = (name: string) => keys.filter((key) => applied({ key: name }, [[reads[0], { key }]]).length > 0);
  expect(matched('businessSecond')).toEqual([mock.keys.businessSecond]);
  expect(matched('revoked')).toEqual([mock.keys.revoked]);
  mock.state.createKey('business', 'erp');
  expect(() => mock.faults.add({ kind: '503', key: 'erp' })).not.toThrow();
});

test('unmatched requests neither use up a fault nor change its random delays', () => {
  mock.faults.add('500');
  mock.faults.add('503;skip=1');
  for (const path of stray) send(path);
  send(reads[0], { method: 'POST' });
  expect([send(reads[0]), send(reads[0]), send(reads[0]), send(reads[0])]).toEqual([500, 200, 503, 200]);

  const run = (between: () => void) => {
    mock.reset();
    mock.faults.add({ kind: '503', operation: 'me', skip: 5, times: 9 });
    mock.faults.add({ kind: 'delay', ms: '0..100000', times: 'always', operation: 'me' });
    return Array.from({ length: 60 }, () => {
      between();
      const { status, delayMs } = request(mock, '/me');
      return `${status} ${delayMs}`;
    });
  };
  const quiet = run(() => undefined);
  expect(new Set(quiet.map((line) => line.slice(0, 3)))).toEqual(new Set(['200', '503']));
  expect(run(() => send('/favicon.ico'))).toEqual(quiet);
  expect(run(() => send(reads[1]))).toEqual(quiet);
});
