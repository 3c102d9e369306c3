import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { beforeEach, expect, test } from 'vitest';
import { passTime, serveEach, serveInstead, service, start, startFakeTime } from '../../shared/service.fixture';
import { type RunOptions, run, thrownBy } from '../run-node.fixture';

serveEach({ frozenAt: start, limit: 'off', orders: 0 });
beforeEach(startFakeTime);

interface Listed {
  id: number;
  bestellnummer: string;
}

/** Orders with one license code each, newest first. */
const insertOrders = (
  count: number,
  status: 'abgeschlossen' | 'ausstehend' | 'storniert' = 'abgeschlossen',
): Listed[] => Array.from({ length: count }, () => service.state.insertOrder('business', { status })).reverse();

const listWhole = (parameters: IDataObject = {}, options: RunOptions = {}): Promise<INodeExecutionData[]> =>
  passTime(
    run(service, 'listOrders', { returnAll: true, output: 'orders', includeDetails: true, ...parameters }, options),
  );

const goOn: RunOptions = { continueOnFail: true };

const fail = (order: Listed, fault = 'status;status=500'): void => {
  service.faults.add(`${fault};id=${order.id};times=always`);
};

/** The orders requested individually, without duplicates. */
const asked = (): number[] => [
  ...new Set(
    service.journal.entries().flatMap(({ path }) => {
      const [, id] = /\/orders\/(\d+)$/.exec(path) ?? [];
      return id ? [Number(id)] : [];
    }),
  ),
];

const idOf = ({ json }: INodeExecutionData): unknown => json.orderId;

const serverText = expect.any(String);

test.each([
  ['status;status=500', { code: 'server', statusCode: 500, serverText }],
  ['html;status=502', { code: 'server', statusCode: 502 }],
  ['cutJson', { code: 'invalid_response', statusCode: 200 }],
  ['resetBefore', { code: 'connection', reason: 'ECONNRESET' }],
  ['400', { code: 'bad_request', statusCode: 400, serverText }],
  ['404', { code: 'not_found', statusCode: 404, serverText }],
])(
  'if set to continue, outputs one error item for an order that fails with %s, and reads all others [S-75]',
  async (fault, details) => {
    const orders = insertOrders(8);
    const before = await listWhole();
    const bad = orders[5] as Listed;
    fail(bad, fault);
    const items = await listWhole({}, goOn);
    expect(items.map(({ json }) => json.orderId)).toEqual(orders.map(({ id }) => (id === bad.id ? undefined : id)));
    expect(items.filter(({ json }) => !json.error)).toEqual(before.filter(({ json }) => json.orderId !== bad.id));
    expect(items[5]).toEqual({
      json: {
        error: expect.stringContaining(`Order ${bad.bestellnummer} (ID ${bad.id})`),
        details: {
          ...details,
          orderId: bad.id,
          orderNumber: bad.bestellnummer,
          advice: expect.stringMatching(/^[A-Z].*\.$/s),
        },
      },
      pairedItem: { item: 0 },
    });
  },
);

test.each(['status;status=500', 'cutJson', '404'])(
  'if the node is set to stop, the run stops at an order that fails with %s, and the error names the order',
  async (fault) => {
    const [, second] = insertOrders(3) as [Listed, Listed, Listed];
    fail(second, fault);
    const error = await thrownBy(listWhole());
    expect(error.message).toContain(`Order ${second.bestellnummer} (ID ${second.id})`);
    expect(error.context).toMatchObject({
      itemIndex: 0,
      details: { orderId: second.id, orderNumber: second.bestellnummer },
    });
    expect(error.description).toContain(
      "To read the other orders, set 'On Error' to 'Continue' in the node's settings.",
    );
    expect(error.description).not.toContain("'Order' field");
    if (fault === '404') expect(error.description).toContain('Try again in a minute');
  },
);

test.each(['status;status=500', 'resetBefore'])(
  'three consecutive orders that fail with %s end the run',
  async (fault) => {
    const orders = insertOrders(60);
    service.faults.add(`${fault};operation=order;skip=2;times=always`);
    const items = await listWhole({}, { ...goOn, items: [{ json: {} }, { json: {} }] });
    const ids = orders.map(({ id }) => id);
    expect(asked()).toEqual(ids.slice(0, 5));
    expect(items.slice(0, 2).map(({ json }) => json.orderId)).toEqual(ids.slice(0, 2));
    const [one, other, stopped, ...rest] = items.slice(2);
    for (const failed of [one, other]) expect(failed?.json.details).toMatchObject({ orderId: expect.any(Number) });
    expect(stopped?.json.details).toMatchObject({ orderId: ids[4] });
    expect(rest.map(({ json }) => json.details)).toEqual([expect.objectContaining({ notRequested: true })]);
  },
);

test.each([
  ['401', 401, 'authentication', /^The API rejected the API key \(401\)$/],
  ['403', 403, 'not_business_account', /^The account is not a business account \(403\)$/],
  ['429', 429, 'rate_limited', /^The API returned status 429$/],
])(
  '%s ends the run; the output has the orders already read, and one error item that says where reading stopped',
  async (fault, statusCode, code, error) => {
    const orders = insertOrders(5);
    service.faults.add(`${fault};operation=order;skip=2;times=always`);
    const items = await listWhole({}, goOn);
    expect(asked()).toEqual(orders.slice(0, 3).map(({ id }) => id));
    expect(items.map(({ json }) => json.orderId ?? json.error)).toEqual([
      orders[0]?.id,
      orders[1]?.id,
      expect.stringMatching(error),
    ]);
    const { advice, ...details } = (items[2] as INodeExecutionData).json.details as IDataObject;
    expect(details).toMatchObject({ code, statusCode });
    expect(details).not.toHaveProperty('orderId');
    expect(advice).toContain('Reading stopped at the order created at ');
    const stopped = await thrownBy(listWhole());
    expect(stopped.message).toMatch(error);
  },
);

test('with one item per license code, orders that cannot have codes are not read [S-37]', async () => {
  insertOrders(2, 'ausstehend');
  insertOrders(2, 'storniert');
  const paid = insertOrders(3);
  service.journal.clear();
  const items = await listWhole({ output: 'licenseCodes' });
  expect(items.map(idOf)).toEqual(paid.map(({ id }) => id));
  expect(service.journal.total()).toBe(1 + 3);
  await listWhole({ output: 'lineItems' });
  expect(service.journal.total()).toBe(1 + 3 + 1 + 7);
});

test('looks for license codes even in an order with an unknown status [U-54]', async () => {
  await serveInstead({ frozenAt: start, limit: 'off', set: { futureValues: 'on' } });
  const listed = await run(service, 'listOrders', { limit: 50, simplify: false });
  const known = ['ausstehend', 'storniert'];
  const readable = listed.filter(({ json }) => !known.includes(json.status as string));
  expect(readable.some(({ json }) => json.status !== 'bezahlt' && json.status !== 'abgeschlossen')).toBe(true);
  service.journal.clear();
  await listWhole({ returnAll: false, limit: 50, output: 'licenseCodes' });
  expect(asked().slice(0, readable.length)).toEqual(readable.map(({ json }) => json.id));
  expect(asked()).toHaveLength(50);
});
