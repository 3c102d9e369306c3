import { expect, test } from 'vitest';
import { createMock, type Mock } from './mock.ts';
import type { Step } from './scenarios.ts';
import type { Json } from './test-client.ts';

function get(mock: Mock, path: string, key = mock.keys.business): { status: number; data: Json } {
  const rawHeaders = ['Authorization', `Bearer ${key}`, 'Accept', 'application/json'];
  const { response } = mock.answer({ method: 'GET', target: `/api/v1${path}`, rawHeaders, secure: false });
  return { status: response.status, data: JSON.parse(response.body as string).data };
}
const ids = (mock: Mock, path: string): number[] => get(mock, path).data.orders.map((order: Json) => order.id);
const codes = (mock: Mock, id: number): number =>
  get(mock, `/orders/${id}`).data.items.reduce((sum: number, item: Json) => sum + item.license_codes.length, 0);
const quiet = { limit: 'off', frozenAt: Date.UTC(2026, 7, 1) } as const;

test('U-10 drift: orders come in and change between pages, the same way for the same seed', () => {
  const drifted = (seed: number) => {
    const mock = createMock({ ...quiet, seed });
    mock.scenarios.start('drift', { changes: 2 });
    const pages = Array.from({ length: 6 }, (_, n) => ids(mock, `/orders?page=${n + 1}`));
    return { pages, total: get(mock, '/orders').data.pagination.total, changes: mock.state.dump().accounts[0] };
  };
  const first = drifted(1);
  expect(first).toEqual(drifted(1));
  expect(first.pages).not.toEqual(drifted(2).pages);
  const seen = first.pages.flat();
  expect(new Set(seen).size).toBeLessThan(seen.length); // a new order shifted the pages, so one came twice
  expect(first.total).toBeGreaterThan(120);
  expect(first.changes?.changed.length).toBeGreaterThan(0);
});

test('U-10 the list is right after every change: sorted, counted and filtered', () => {
  const mock = createMock({ ...quiet, orders: 60 });
  mock.scenarios.start('drift', { changes: 5 });
  for (let n = 0; n < 40; n++) {
    const { orders, pagination } = get(mock, `/orders?per_page=50`).data;
    const dates = orders.map((order: Json) => order.created_at);
    expect(dates).toEqual(dates.toSorted().toReversed());
    const { data } = get(mock, `/orders?status=ausstehend&per_page=50`);
    expect(data.orders.every((order: Json) => order.status === 'ausstehend')).toBe(true);
    expect(pagination.total).toBeGreaterThanOrEqual(60);
  }
  mock.scenarios.clear();
  const total = (query: string) => get(mock, `/orders${query}`).data.pagination.total;
  const parts = ['ausstehend', 'bezahlt', 'abgeschlossen', 'storniert'].map((status) => total(`?status=${status}`));
  expect(parts.reduce((a, b) => a + b)).toBe(total(''));
});

test('U-10 a script does exactly what it says, after exactly that request', () => {
  const mock = createMock({ ...quiet, orders: 10 });
  const [first = 0, second = 0] = ids(mock, '/orders');
  mock.scenarios.script([
    { after: 1, do: 'insertOrder', account: 'business', order: { status: 'bezahlt' } },
    { after: 2, do: 'setStatus', orderId: second, status: 'storniert' },
  ]);
  expect(ids(mock, '/orders').length).toBe(10);
  expect(ids(mock, '/orders').length).toBe(11);
  expect(mock.scenarios.list()).toEqual([]);
  expect(ids(mock, '/orders').slice(1, 3)).toEqual([first, second]);
  expect(ids(mock, '/orders?status=storniert')).toContain(second);
});

test('U-13 partialDelivery: codes arrive one by one', () => {
  const mock = createMock(quiet);
  const { id } = mock.state.insertOrder('business', { status: 'bezahlt', delivered: 0, items: [{ quantity: 3 }] });
  mock.scenarios.start('partialDelivery', { orderId: id });
  const delivery = () => get(mock, '/orders?per_page=1').data.orders[0].lieferstatus;
  expect(delivery()).toBe('offen');
  expect([codes(mock, id), codes(mock, id)]).toEqual([1, 2]);
  expect([codes(mock, id), codes(mock, id)]).toEqual([3, 3]);
  expect(delivery()).toBe('geliefert');
});

test('S-64 U-48 revocation and loss of the business status in the middle of a walk', () => {
  const revoked = createMock(quiet);
  revoked.scenarios.start('revocation', { requests: 2 });
  const walk = (mock: Mock) => [1, 2, 3, 4].map((page) => get(mock, `/orders?page=${page}`).status);
  expect(walk(revoked)).toEqual([200, 200, 401, 401]);
  expect(get(revoked, '/me', revoked.keys.businessSecond).status).toBe(200);
  const lost = createMock(quiet);
  lost.scenarios.start('businessLost');
  expect(walk(lost)).toEqual([200, 200, 200, 403]);
  lost.reset();
  expect(walk(lost)).toEqual([200, 200, 200, 200]);
});

test('U-10 a step that cannot work is refused at once', () => {
  const { scenarios } = createMock();
  const refused = (step: object) => () => scenarios.script([step as Step]);
  expect(refused({ do: 'explode', after: 1 })).toThrow(/do is one of insertOrder/);
  expect(refused({ do: 'drift', account: 'nobody', changes: 1, after: 1 })).toThrow(/no account "nobody"/);
  expect(refused({ do: 'drift', account: 'business', changes: 0, after: 1 })).toThrow(/changes is/);
  expect(refused({ do: 'setStatus', orderId: 1, status: 'bezahlt', after: 1 })).toThrow(/no order/);
  expect(refused({ do: 'insertOrder', account: 'business', order: { status: 'x' }, after: 1 })).toThrow(
    /status is one of/,
  );
  expect(refused({ do: 'revokeKey', key: 'x', after: 1 })).toThrow(/no key named/);
  expect(refused({ do: 'revokeKey', key: 'business', after: 0 })).toThrow(/after is/);
  expect(() => scenarios.start('drift', { change: 2 } as object)).toThrow('has account, changes, not "change"');
  expect(() => scenarios.start('flood' as never)).toThrow(/scenarios are drift/);
});
