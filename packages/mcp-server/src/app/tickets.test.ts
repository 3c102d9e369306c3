import type { Order } from '@order-license/core/portable';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { issueTicket, readTicket, type TicketHolder, ticketsFor } from './tickets.ts';

const holder = { apiKey: 'the-api-key', subject: 'alice' };
const uriOf = (id: number | string, of: TicketHolder = holder): string => issueTicket(id, of)?.uri ?? '';

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

const unsigned = { apiKey: holder.apiKey };
const long = '9'.repeat(30);
test.each<[string, TicketHolder, TicketHolder]>([
  ['a caller with another API key', holder, { ...holder, apiKey: 'the-api-kez' }],
  ['another subject', holder, { ...holder, subject: 'bob' }],
  ['a caller without sign-in', holder, unsigned],
  ['a subject without a name', unsigned, { ...holder, subject: '' }],
  ['a subject called null', unsigned, { ...holder, subject: 'null' }],
  ['a subject with half a character', unsigned, { ...holder, subject: '"\ud800' }],
])('rejects a ticket used by %s, who can use only their own', (_, one, other) => {
  expect(readTicket(uriOf(long, one), other)).toBe('rejected');
  expect(readTicket(uriOf(long, other), other)).toEqual({ id: long });
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
  expect(readTicket(uri.replace('10025', '10026'), holder)).toBe('rejected');
  const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = [...base64url].map((letter) => readTicket(uri.slice(0, -1) + letter, holder));
  expect(last.filter((one) => one !== 'rejected')).toEqual([{ id: '10025' }]);
});

test('an order without license codes, or with an invalid ID, has no ticket', () => {
  const order = (id: unknown, codes: unknown[]) => ({ id, items: [{ license_codes: codes }] }) as unknown as Order;
  const orders = [order(1, []), order(2, [{}]), order('3', [{}, {}]), order('x/../4', [{}]), order(-5, [{}])];
  expect(ticketsFor(orders, holder).map(({ id }) => id)).toEqual([2, '3']);
  expect(ticketsFor([order(6, [{}])], holder).map(({ id }) => id)).toEqual([6]);
});
