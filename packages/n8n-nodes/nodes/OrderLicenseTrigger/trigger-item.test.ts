import type { ChangeEvent, Order, OrderSummary } from '@order-license/core/portable';
import { expect, test } from 'vitest';
import { toItems } from './trigger-item';

/** Converts a single event. */
const toItem = (event: ChangeEvent, form: Parameters<typeof toItems>[1]) => toItems([event], form)[0];

const codeWith = (license_key: string) => ({
  id: 3,
  license_key,
  code_typ: 'retail' as const,
  download_url_64: null,
  download_url_32: null,
  aktivierungen_bestellung: 1,
});
const code = codeWith('CANARY-7Q2X9-LK4ZT-8M1PV');
const item = { id: 2, product_name: 'Office', menge: 1, einzelpreis_brutto: '1.00' };
const common = { id: 1, bestellnummer: 'B-1', gesamtpreis_brutto: '1.00', waehrung: 'EUR' };
/** An API can add fields to list entries, even fields that the docs name only for single orders. */
const order = {
  ...common,
  status: 'bezahlt',
  zahlungsstatus: 'offen',
  created_at: '2026-01-31 08:00:00',
  lieferstatus: 'offen',
  items: null,
  billing_address: null,
} as unknown as OrderSummary;
const details = {
  ...common,
  status: 'abgeschlossen',
  items: [{ ...item, license_codes: [code] }],
  billing_address: { city: 'Köln' },
} as unknown as Order;

const available = { event: 'licenseCodeAvailable', eventId: 'license-code:1:2:3' } as const;
const codeEvent: ChangeEvent = { ...available, order, item, code, details };

test("an item with details has the order's details and the event's status, whatever fields the API adds to list entries", () => {
  const event: ChangeEvent = { event: 'paid', eventId: 'paid:1', order, details };
  expect(toItem(event, { simplify: true, licenseKeys: 'full' })).toMatchObject({
    status: 'bezahlt',
    createdAt: '2026-01-31T08:00:00.000Z',
    lineItems: [{ productName: 'Office', licenseCodes: [{ licenseKey: code.license_key }] }],
    billingAddress: { city: 'Köln' },
  });
});

test('a simplified item keeps the values of the list if they are null in the details', () => {
  const sparse = { ...details, created_at: null, zahlungsstatus: null } as unknown as Order;
  const event: ChangeEvent = { event: 'paid', eventId: 'paid:1', order, details: sparse };
  const listed = { createdAt: '2026-01-31T08:00:00.000Z', paymentStatus: 'offen' };
  expect(toItem(event, { simplify: true, licenseKeys: 'full' })).toMatchObject(listed);
  const ofCode = { ...event, event: 'licenseCodeAvailable' as const, item, code };
  expect(toItem(ofCode, { simplify: true, licenseKeys: 'masked' })).toMatchObject(listed);
  expect(toItem(event, { simplify: false, licenseKeys: 'full' })).toMatchObject({ order: { created_at: null } });
});

test('a masked license code keeps its fields, whatever fields the API adds to list entries', () => {
  expect(toItem(codeEvent, { simplify: true, licenseKeys: 'masked' })).toMatchObject({
    orderNumber: 'B-1',
    productName: 'Office',
    licenseKey: '****M1PV',
    deliveryStatus: 'offen',
  });
});

test('a simplified event without details has no license keys, even if the list contains them', () => {
  const withItems = { ...order, items: details.items } as OrderSummary;
  const shown = toItem(
    { event: 'newOrder', eventId: 'new-order:1', order: withItems },
    { simplify: true, licenseKeys: 'full' },
  );
  expect(shown).toMatchObject({ orderNumber: 'B-1', deliveryStatus: 'offen' });
  expect(JSON.stringify(shown)).not.toContain('CANARY');
});

test('masks a license key that an order of another event repeats', () => {
  const other = { ...order, id: 9, bestellnummer: `B-9, see ${code.license_key}` };
  const events: ChangeEvent[] = [{ event: 'newOrder', eventId: 'new-order:9', order: other }, codeEvent];
  const shown = toItems(events, { simplify: true, licenseKeys: 'masked' });
  expect(shown).toMatchObject([{ orderNumber: '****' }, { licenseKey: '****M1PV' }]);
});
