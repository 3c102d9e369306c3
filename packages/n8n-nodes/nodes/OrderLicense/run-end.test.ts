import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { beforeEach, expect, test } from 'vitest';
import { passTime, serveEach, service, start, startFakeTime } from '../shared/service.fixture';
import { OrderLicense } from './OrderLicense.node';
import { orderBy, prepare, type RunOptions } from './run-node.fixture';

serveEach({ frozenAt: start, limit: 'off' });
beforeEach(startFakeTime);

/** Runs *Get Order* for each of these IDs, with *On Error* set to continue, and returns the output. */
const getOrders = async (ids: number[], options: RunOptions = {}): Promise<INodeExecutionData[]> => {
  const items = ids.map((id) => ({ json: { id } }));
  const { context } = prepare(service, 'getOrder', orderBy('id', '={{ $json.id }}'), {
    items,
    continueOnFail: true,
    ...options,
  });
  const run = new OrderLicense().execute.call(context);
  const [found = []] = await passTime(run);
  return found;
};

const codesOf = (found: INodeExecutionData[]): unknown[] =>
  found.map(({ json }) => (json.details as IDataObject | undefined)?.code);

const notRequested = (found: INodeExecutionData[]): number =>
  found.filter(({ json }) => (json.details as IDataObject | undefined)?.notRequested).length;

const tenOrders = (): number[] => Array.from({ length: 10 }, () => service.state.insertOrder('business', {}).id);
const times = (count: number, code: string): string[] => Array.from({ length: count }, () => code);

test.each([
  ['401', 'authentication', 401],
  ['403', 'not_business_account', 403],
  ['html;status=403', 'invalid_response', 403],
])('after %s, the other input items send no requests, and each gets this error', async (fault, code, statusCode) => {
  service.faults.add(`${fault};times=always`);
  const found = await getOrders(tenOrders());
  expect(service.journal.total()).toBe(1);
  expect(codesOf(found)).toEqual(times(10, code));
  const [first] = found as [INodeExecutionData];
  expect(found[9]).toEqual({
    json: {
      error: first.json.error,
      details: expect.objectContaining({
        code,
        statusCode,
        advice: (first.json.details as IDataObject).advice,
        notRequested: true,
      }),
    },
    pairedItem: { item: 9 },
  });
});

test('with an unusable credential, the run ends at the first input item, without a request', async () => {
  const credential = { baseUrl: service.baseUrl, apiKey: '', requestsPerMinute: 60 };
  expect(codesOf(await getOrders(tenOrders(), { credential }))).toEqual(times(10, 'configuration'));
  expect(service.journal.total()).toBe(0);
});

test('if the API refuses connections, the run ends at the first input item', async () => {
  const credential = { baseUrl: 'http://127.0.0.1:1/api/v1', apiKey: 'k' };
  const send = () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
  const found = await getOrders(tenOrders(), { credential, send });
  expect(codesOf(found)).toEqual(times(10, 'connection'));
  expect(notRequested(found)).toBe(9);
});

test.each([
  ['status;status=500', 'server'],
  ['resetBefore', 'connection'],
])('three consecutive input items that fail with %s end the run', async (fault, code) => {
  const ids = tenOrders();
  service.faults.add(`${fault};skip=2;times=always`);
  const found = await getOrders(ids);
  expect(codesOf(found)).toEqual([undefined, undefined, ...times(8, code)]);
  expect(notRequested(found)).toBe(5);
  expect(found[9]?.json.details).not.toHaveProperty('orderId');
});

test('orders that fail individually do not end the run', async () => {
  const ids = tenOrders();
  for (const [index, fault] of ['404', '404', '404', '404', 'status;status=500', 'status;status=500'].entries()) {
    service.faults.add(`${fault};id=${ids[index + Math.floor(index / 5)]};times=always`);
  }
  const found = await getOrders(ids);
  expect(notRequested(found)).toBe(0);
  expect(codesOf(found).filter((code) => code === undefined)).toHaveLength(4);
});
