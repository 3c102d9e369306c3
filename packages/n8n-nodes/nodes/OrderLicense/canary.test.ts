import { listen, type MockServer } from '@order-license/mock-api';
import { everythingOf, plantedKey, plantedLicense } from '@order-license/testing/canary';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OrderLicense } from './OrderLicense.node';
import { orderBy, prepare, type RunOptions, run, thrownBy } from './run-node.fixture';

let service: MockServer;
beforeEach(async () => {
  service = await listen({ limit: 'off', keys: { business: plantedKey }, licenseKeyPrefix: plantedLicense });
});
afterEach(() => service.close());

const failures: [string, () => void, RunOptions][] = [
  ['revoked key', () => service.state.revokeKey('business'), {}],
  ['account that is no business', () => service.state.setBusiness('business', { company: '', vat_id: '' }), {}],
  [
    'error text that repeats the key',
    () => service.set({ errorText: `no such key: ${plantedKey}`, invalidId: '404' }),
    {},
  ],
  ['redirect', () => service.set({ httpsOnly: 'redirect' }), {}],
  ['IDs that cannot be held', () => service.set({ ids: 'big' }), {}],
  [
    'address with a key in it',
    () => undefined,
    { credential: { baseUrl: `https://${plantedKey}@x.test/api/v1`, apiKey: plantedKey } },
  ],
  [
    'key with a line break',
    () => undefined,
    { credential: { baseUrl: 'https://x.test/api/v1', apiKey: `${plantedKey}\n1` } },
  ],
  ['nobody there', () => undefined, { credential: { baseUrl: 'http://127.0.0.1:1/api/v1', apiKey: plantedKey } }],
];

test.each(failures)(
  'no error, error field, item or log contains an API key: %s',
  async (_, prepareService, options) => {
    const [newest] = await run(service, 'listOrders', { limit: 1 });
    const order = orderBy('id', newest?.json.orderId);
    prepareService();
    const execution = prepare(service, 'getOrder', order, options);
    // The run is cancelled early, because its retries would wait for minutes.
    execution.context.getExecutionCancelSignal = () => AbortSignal.timeout(300);
    const error = await thrownBy(new OrderLicense().execute.call(execution.context)).catch(() => undefined);
    const { context, logs, hints } = prepare(service, 'getOrder', order, { ...options, continueOnFail: true });
    context.getExecutionCancelSignal = () => AbortSignal.timeout(300);
    const items = await new OrderLicense().execute.call(context).catch((thrown: unknown) => thrown);
    const shown = [everythingOf(error), everythingOf(items), ...logs, JSON.stringify(hints), ...execution.logs].join(
      '\n',
    );
    expect(shown.length).toBeGreaterThan(100);
    expect(shown).not.toContain(plantedKey);
  },
);

test('only the requested items contain license keys', async () => {
  const { id } = service.state.insertOrder('business', { items: [{ menge: 2 }] });
  const execution = prepare(service, 'getOrder', orderBy('id', id));
  const [items] = await new OrderLicense().execute.call(execution.context);
  expect(JSON.stringify(items)).toContain(plantedLicense);
  expect(JSON.stringify([execution.hints, execution.logs, execution.staticData])).not.toContain(plantedLicense);
  expect(JSON.stringify(items)).not.toContain(plantedKey);
});
