import type { IDataObject } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { serveEach, service } from '../../shared/service.fixture';
import { OrderLicense } from '../OrderLicense.node';
import { answering, pageOf, prepare, run } from '../run-node.fixture';

serveEach({ limit: 'off', orders: 0 });

const insert = (einzelpreis_brutto: string, more: object = {}): void => {
  const items = [{ einzelpreis_brutto }];
  service.state.insertOrder('business', { items, created_at: '2030-01-15 00:00:00', ...more });
};
const totals = async (parameters: IDataObject = {}, options = {}): Promise<IDataObject[]> =>
  (await run(service, 'listOrders', { output: 'totals', ...parameters }, options)).map(({ json }) => json);

test('Totals returns one item for each currency and status, with exact sums [S-20]', async () => {
  insert('90071992547409.93');
  insert('0.10');
  insert('0.20', { status: 'storniert' });
  insert('7.00', { waehrung: 'USD' });
  const group = {
    status: 'abgeschlossen',
    statusInEnglish: 'completed',
    paymentStatus: 'bezahlt',
    deliveryStatus: 'geliefert',
  };
  const sum = { unreadableOrders: 0, complete: true };
  expect(await totals()).toEqual([
    { currency: 'USD', ...group, orders: 1, grossTotal: '7.00', ...sum },
    expect.objectContaining({ currency: 'EUR', status: 'storniert', orders: 1, grossTotal: '0.20', ...sum }),
    { currency: 'EUR', ...group, orders: 2, grossTotal: '90071992547410.03', ...sum },
  ]);
});

test('Totals applies the filters', async () => {
  insert('1.00', { created_at: '2030-01-01 00:00:00' });
  insert('2.00', { created_at: '2030-01-31 23:59:59' });
  insert('4.00', { created_at: '2030-02-01 00:00:00' });
  insert('8.00', { created_at: '2030-01-15 00:00:00', status: 'storniert' });
  const filters = { createdFrom: '2030-01-01', createdBefore: '2030-02-01', status: ['abgeschlossen', 'bezahlt'] };
  expect(await totals({ filters })).toMatchObject([{ orders: 2, grossTotal: '3.00' }]);
  expect(await totals({ filters }, { timezone: 'Europe/Berlin' })).toMatchObject([{ orders: 1, grossTotal: '1.00' }]);
});

test('without orders, Totals is one item with zeros, so that the workflow continues', async () => {
  expect(await totals()).toEqual([
    {
      currency: null,
      status: null,
      statusInEnglish: null,
      paymentStatus: null,
      deliveryStatus: null,
      orders: 0,
      grossTotal: '0.00',
      unreadableOrders: 0,
      complete: true,
    },
  ]);
});

test("groups Totals by day, week or month in the workflow's time zone", async () => {
  insert('1.00', { created_at: '2030-01-31 23:30:00' });
  insert('2.00', { created_at: '2030-02-01 00:30:00' });
  insert('4.00', { created_at: '2030-02-03 12:00:00' });
  const by = async (groupBy: string, timezone: string) =>
    (await totals({ groupBy }, { timezone })).map(({ period, grossTotal }) => [period, grossTotal]);
  expect(await by('month', 'UTC')).toEqual([
    ['2030-02-01', '6.00'],
    ['2030-01-01', '1.00'],
  ]);
  expect(await by('month', 'Europe/Berlin')).toEqual([['2030-02-01', '7.00']]);
  expect(await by('week', 'UTC')).toEqual([['2030-01-28', '7.00']]);
  const [whole] = await totals({ groupBy: 'day', simplify: false });
  expect(whole?.groups).toMatchObject([{ period: '2030-02-03' }, { period: '2030-02-01' }, { period: '2030-01-31' }]);
});

test('Totals per month need a time zone that exists', async () => {
  await expect(totals({ groupBy: 'month' }, { timezone: '' })).rejects.toMatchObject({
    message: "The workflow's time zone is unknown",
    description: expect.stringContaining('GENERIC_TIMEZONE'),
  });
});

test('an order with an unreadable amount is counted, excluded from the sums, and named', async () => {
  insert('1.00');
  service.set({ money: 'oneDigit' });
  const read = async (simplify: boolean) => {
    const execution = prepare(service, 'listOrders', { output: 'totals', simplify });
    const [items] = await new OrderLicense().execute.call(execution.context);
    return { items: items?.map(({ json }) => json), hints: execution.hints.map(({ message }) => message) };
  };
  expect((await read(true)).items).toMatchObject([{ orders: 1, grossTotal: '0.00', unreadableOrders: 1 }]);
  expect((await read(false)).items).toMatchObject([{ unreadable: [{ field: 'gesamtpreis_brutto', value: '1.0' }] }]);
  expect((await read(true)).hints).toEqual([
    expect.stringContaining('Orders with an unreadable amount, currency or date: 1.'),
  ]);
});

test('as a tool, Totals omits values in an undocumented format', async () => {
  insert('1.00');
  service.set({ money: 'oneDigit' });
  const [shown] = await totals({ simplify: false, filters: {} }, { asTool: true });
  expect(shown?.unreadable).toEqual([{ id: expect.any(Number), field: 'gesamtpreis_brutto' }]);
  expect(shown?.groups).toMatchObject([{ waehrung: 'EUR', status: 'abgeschlossen', count: 1 }]);
});

test.each(['masked', 'leftOut'])(
  'with license keys %s, Totals omits a payment or delivery status that is not text',
  async (licenseKeys) => {
    const odd = { zahlungsstatus: { note: 'CANARY-7Q2X9' }, lieferstatus: 20_301 };
    const order = { id: 1, bestellnummer: 'B-1', status: 'bezahlt', gesamtpreis_brutto: '1.00', waehrung: 'EUR' };
    const send = answering(() => pageOf({ ...order, ...odd, created_at: '2030-01-15 00:00:00' }));
    expect(await totals({ licenseKeys }, send)).toMatchObject([
      { orders: 1, grossTotal: '1.00', paymentStatus: '****', deliveryStatus: '****' },
    ]);
    expect(await totals({ licenseKeys: 'full' }, send)).toMatchObject([{ deliveryStatus: '20301' }]);
  },
);

test('incomplete totals are marked in the item and reported in a hint', async () => {
  insert('1.00');
  insert('2.00', { created_at: '2030-01-02 00:00:00' });
  service.set({ dates: 'zero' });
  const execution = prepare(service, 'listOrders', {
    output: 'totals',
    simplify: false,
    filters: { createdFrom: '2030-01-01' },
  });
  const [items] = await new OrderLicense().execute.call(execution.context);
  expect(items?.[0]?.json).toMatchObject({ complete: false, gaps: ['undated'] });
  expect(execution.hints[0]?.message).toBe('Orders may be missing: the date of an order cannot be read.');
});
