import { beforeEach, expect, test } from 'vitest';
import { createInnerMock } from '../mock.ts';
import { type Ask, send as request } from '../test-client.fixture.ts';
import type { FaultInput } from './rule.ts';

const mock = createInnerMock({ limit: 'off', orders: 60 });
beforeEach(() => mock.reset());

const send = (target: string, { method = 'GET', key = mock.keys.business }: Ask = {}): number => {
  const rawHeaders = key === null ? [] : ['Authorization', `Bearer ${key}`];
  return mock.answer({ method, target, rawHeaders, secure: false }).response.status;
};

const id = mock.state.orders('business').page(0, 1)[0]?.id as number;
const api = '/api/v1';
const stray = ['/', '/favicon.ico', '/api/v2/orders', `${api}/menu`, `${api}/orders/1/2`, `${api}/orders/`, api];
const requests: Record<string, [target: string, ask?: Ask]> = {
  me: [`${api}/me`],
  list: [`${api}/orders`],
  page1: [`${api}/orders?page=1`],
  page2: [`${api}/orders?page=2&per_page=5&status=bezahlt`],
  pageX: [`${api}/orders?page=x`],
  order: [`${api}/orders/${id}`],
  other: [`${api}/orders/${id + 1}`],
  orderX: [`${api}/orders/abc`],
  head: [`${api}/me`, { method: 'HEAD' }],
  post: [`${api}/me`, { method: 'POST' }],
  options: [`${api}/me`, { method: 'OPTIONS' }],
  second: [`${api}/me`, { key: mock.keys.businessSecond }],
  revoked: [`${api}/me`, { key: mock.keys.revoked }],
  keyless: [`${api}/me`, { key: null }],
  ...Object.fromEntries(stray.map((target) => [target, [target]])),
};
const lists = ['list', 'page1', 'page2', 'pageX'];
const orders = ['order', 'other', 'orderX'];

test.each<[rule: Partial<FaultInput>, matched: string[]]>([
  [{}, ['me', ...lists, ...orders, 'second', 'revoked', 'keyless']],
  [{ operation: 'me' }, ['me', 'second', 'revoked', 'keyless']],
  [{ operation: 'list' }, lists],
  [{ operation: 'order' }, orders],
  [{ page: 1 }, ['list', 'page1']],
  [{ page: 2 }, ['page2']],
  [{ id }, ['order']],
  [{ method: 'POST' }, ['post']],
  [{ method: 'OPTIONS' }, ['options']],
  [{ key: 'businessSecond' }, ['second']],
  [{ key: 'revoked' }, ['revoked']],
])('a fault for %j applies to the requests %j, and never to unknown paths', (rule, matched) => {
  mock.faults.add({ kind: '503', times: 'always', ...rule });
  const applied = Object.entries(requests).filter(([, [target, ask]]) => send(target, ask) === 503);
  expect(applied.map(([name]) => name)).toEqual(matched);
});

test('a fault can name a key that was created later', () => {
  mock.state.createKey('business', 'erp');
  expect(() => mock.faults.add({ kind: '503', key: 'erp' })).not.toThrow();
});

test('requests that a fault does not select neither use it up nor change its random delays', () => {
  mock.faults.add('500');
  mock.faults.add('503;skip=1');
  for (const target of stray) send(target);
  send(`${api}/me`, { method: 'POST' });
  expect([send(`${api}/me`), send(`${api}/me`), send(`${api}/me`), send(`${api}/me`)]).toEqual([500, 200, 503, 200]);

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
  expect(run(() => send(`${api}/orders`))).toEqual(quiet);
});
