import type { Order } from '@order-license/core/portable';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { issueTicket, readTicket, ticketsFor } from './tickets.ts';

const holder = { apiKey: 'the-api-key', subject: 'alice' };
const uriOf = (id: number | string, of = holder): string => issueTicket(id, of)?.uri ?? '';

test('a ticket is valid for its order for five minutes', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 22, 12) });
  onTestFinished(() => void vi.useRealTimers());
  const ticket = issueTicket(7, holder);
  expect(ticket).toMatchObject({ id: 7, expires_at: '2026-11-22T12:05:00.000Z' });
  const uri = ticket?.uri ?? '';
  expect(readTicket(uri, { ...holder })).toEqual({ id: '7' });
  vi.setSystemTime(Date.UTC(2026, 10, 22, 12, 4, 59, 999));
  expect(readTicket(uri, holder)).toEqual({ id: '7' });
  vi.setSystemTime(Date.UTC(2026, 10, 22, 12, 5));
  expect(readTicket(uri, holder)).toBe('expired');
});

test('rejects a ticket if its order, its expiry or anything else in it was changed', () => {
  const uri = uriOf(10025);
  const text = fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom('0', '1', '%31', '=', '/..', '?', '\n'));
  fc.assert(
    fc.property(fc.nat(uri.length), text, fc.nat(1), (at, text, removed) => {
      const changed = uri.slice(0, at) + text + uri.slice(at + removed);
      if (changed !== uri) expect(readTicket(changed, holder)).toBe('rejected');
    }),
  );
  const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = [...base64url].map((letter) => readTicket(uri.slice(0, -1) + letter, holder));
  expect(last.filter((one) => one !== 'rejected')).toEqual([{ id: '10025' }]);
});

test('a ticket can be used only by its holder, whatever characters the subjects contain', () => {
  const subject = fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('null', '', '"', '\ud800')), {
    nil: undefined,
  });
  const anyHolder = fc.record({ apiKey: fc.stringMatching(/^[\x21-\x7e]{1,40}$/), subject });
  const orderId = fc.stringMatching(/^[1-9]\d{0,29}$/);
  fc.assert(
    fc.property(anyHolder, anyHolder, orderId, (one, other, id) => {
      const uri = uriOf(id, one as typeof holder);
      expect(readTicket(uri, { ...one })).toEqual({ id });
      const isSame = one.apiKey === other.apiKey && one.subject === other.subject;
      expect(readTicket(uri, other)).toEqual(isSame ? { id } : 'rejected');
    }),
  );
});

test('an order without license codes, or with an invalid ID, has no ticket', () => {
  const order = (id: unknown, codes: unknown[]) => ({ id, items: [{ license_codes: codes }] }) as unknown as Order;
  const orders = [order(1, []), order(2, [{}]), order('3', [{}, {}]), order('x/../4', [{}]), order(-5, [{}])];
  expect(ticketsFor(orders, holder).map(({ id }) => id)).toEqual([2, '3']);
  expect(ticketsFor([order(6, [{}])], holder).map(({ id }) => id)).toEqual([6]);
});
