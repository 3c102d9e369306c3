import { expect, test } from 'vitest';
import { createVirtualService, createVirtualTrigger, everything } from '../virtual-service.fixture';
import { readState, writeState } from './saved-state';
import { newState } from './trigger-state';

test('reads back the state that it wrote', async () => {
  const service = createVirtualService({ orders: 200 });
  const trigger = createVirtualTrigger(service, everything);
  for (let poll = 0; poll < 8; poll++) await trigger.poll();
  const text = trigger.saved() as string;
  const state = readState(text);
  expect(state?.orders.size).toBeGreaterThan(20);
  expect(state?.awaited.size).toBeGreaterThan(0);
  expect(state && readState(writeState(state))).toEqual(state);
});

test('ignores states of other versions and values that are not a state', () => {
  for (const text of [undefined, 7, '', 'no JSON', 'null', '{}', '{"version":1,"orders":{}}', '{"version":3}']) {
    expect(readState(text)).toBeUndefined();
  }
});

test('does not write a state without a baseline', () => {
  expect(writeState(newState('account', 'credential'))).toBeUndefined();
});

test('25,000 watched orders take less than 300 kB', () => {
  const state = newState('shop.example/api/v1 4711', 'abc123');
  state.recent = { from: 0, settled: 25_000, seen: new Map() };
  // A shop with about 20 orders of other accounts between two of this one.
  for (let n = 0; n < 25_000; n++) {
    const mark = (['unmet', 'met'] as const)[n % 2] ?? 'met';
    const status = n % 50 === 0 ? 'ausstehend' : 'bezahlt';
    const before = n % 3 === 0 ? { delivery: 500 + (n % 4), isRead: n % 2 === 0 } : undefined;
    state.orders.set(String(40_000_000 + n * 20 + (n % 13)), { status, mark, before });
  }
  for (let n = 0; n < 2_000; n++) {
    const known = new Map([[String(80_000_000 + n), new Set(['90000001', '90000002'])]]);
    state.awaited.set(String(40_000_000 + n * 20), {
      since: 1_900_000_000,
      due: 1_900_000_000,
      isUrgent: false,
      fingerprint: 'abc123',
      known,
    });
  }
  const text = writeState(state) as string;
  expect(text.length).toBeLessThan(300_000);
  expect(readState(text)?.orders).toEqual(state.orders);
});
