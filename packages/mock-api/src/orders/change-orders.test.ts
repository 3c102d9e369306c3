import { expect, test } from 'vitest';
import { createInnerMock } from '../mock.ts';
import { silenced } from '../test-client.fixture.ts';

test('generated statuses and totals follow a change, and given ones stay [S-36]', () => {
  const { state } = createInnerMock({ orders: 0 });
  const items = [{ menge: 2, einzelpreis_brutto: '10.00' }];
  const given = { zahlungsstatus: 'offen', lieferstatus: 'offen', gesamtpreis_brutto: '25.00' };
  const [first, second] = [{}, given].map(
    (fields) => state.insertOrder('business', { status: 'ausstehend', items, ...fields }).id,
  ) as [number, number];
  const expectStates = (...states: object[]) =>
    expect([first, second].map((id) => state.order(id).list)).toMatchObject(states);
  const generated = { zahlungsstatus: 'offen', lieferstatus: 'offen', gesamtpreis_brutto: '20.00' };
  expectStates(generated, given);
  for (const id of [first, second])
    state.changeOrder(id, { status: 'bezahlt', items: [{ menge: 3, einzelpreis_brutto: '10.00' }] });
  const paid = { zahlungsstatus: 'bezahlt', lieferstatus: 'geliefert', gesamtpreis_brutto: '30.00' };
  expectStates(paid, given);
  expect(state.order(first).detail).toMatchObject({
    gesamtpreis_brutto: '30.00',
    items: [{ license_codes: [{}, {}, {}] }],
  });
  state.changeOrder(second, paid);
  expectStates(paid, paid);
});

test('a changed date keeps the order number', () => {
  const { state } = createInnerMock({ orders: 0 });
  const { id, bestellnummer } = state.insertOrder('business', { created_at: '2026-01-01' });
  state.changeOrder(id, { created_at: '2025-12-31' });
  expect(state.order(id)).toMatchObject({ createdAt: Date.UTC(2025, 11, 31), list: { bestellnummer } });
});

test('new items of a partly delivered order keep the number of delivered codes', () => {
  const { state } = createInnerMock({ orders: 0 });
  const { id } = state.insertOrder('business', { status: 'bezahlt', items: [{ menge: 3 }], delivered: 1 });
  state.changeOrder(id, { items: [{ menge: 2 }, { menge: 2 }] });
  expect(state.order(id)).toMatchObject({ delivered: 1, planned: 4 });
  expect(state.order(id).detail.items).toMatchObject([{ license_codes: [{}] }, { license_codes: [] }]);
});

test('an item that was given without license codes while paid never gets any [S-37]', () => {
  const { state } = createInnerMock({ orders: 0 });
  const { id } = state.insertOrder('business', { status: 'bezahlt', items: [{ menge: 2, license_codes: [] }] });
  for (const status of ['ausstehend', 'bezahlt'] as const) state.setStatus(id, status);
  expect(state.order(id).detail.items).toMatchObject([{ license_codes: [] }]);
});

test('a list field in a given detail changes in both documents', () => {
  silenced('warn');
  const data = { id: 5, status: 'bezahlt', zahlungsstatus: 'offen', items: [] };
  const { state } = createInnerMock({ orders: { data } });
  state.changeOrder(5, { zahlungsstatus: 'bezahlt', lieferstatus: 'geliefert' });
  expect(state.order(5)).toMatchObject({ list: { zahlungsstatus: 'bezahlt' }, detail: { zahlungsstatus: 'bezahlt' } });
  expect(state.order(5).detail).not.toHaveProperty('lieferstatus');
});

test('a change of an account does not change the address of its seeded orders', () => {
  const [read, unread] = [createInnerMock().state, createInnerMock().state];
  const [{ id } = { id: 0 }] = read.orders('business').page(20, 1);
  const { detail } = read.order(id);
  for (const state of [read, unread]) {
    state.setBusiness('business', { company: 'Neu' });
    expect(state.order(id).detail).toEqual(detail);
  }
});
