import type { Execution } from '@order-license/testing/n8n-execution';
import type { INodeExecutionData } from 'n8n-workflow';
import { expect, test } from 'vitest';
import {
  passTime,
  readApi,
  serveEach,
  serveInstead,
  service,
  start,
  startFakeTime,
} from '../../shared/service.fixture';
import { OrderLicense } from '../OrderLicense.node';
import { orderBy, prepare, run, thrownBy } from '../run-node.fixture';

serveEach({ frozenAt: start });

const execute = ({ context }: Execution) => new OrderLicense().execute.call(context);

/** Uses up the limit from another client, so that the next request gets 429. */
const spendLimit = async (limit = 60): Promise<void> => {
  for (let sent = 0; sent < limit; sent++) await readApi('/me');
  service.journal.clear();
};

test('on 429 the node waits 60 s, continues, and reports how long it waited [S-84 U-37]', async () => {
  await spendLimit();
  startFakeTime();
  const execution = prepare(service, 'listOrders', { limit: 3 });
  const [items] = await passTime(execute(execution));
  expect(items).toHaveLength(3);
  const sent = service.journal.entries().map(({ status, at }) => [status, Math.round((at - start) / 1000)]);
  expect(sent.map(([status]) => status)).toEqual([429, 200]);
  expect((sent[1]?.[1] ?? 0) - (sent[0]?.[1] ?? 0)).toBeGreaterThanOrEqual(60);
  expect(service.journal.violations()).toEqual([]);
  expect(execution.hints[0]?.message).toMatch(
    /^Waited \d\d s in total .* something else probably uses the same API key\. Create a separate API key for each program\.$/,
  );
  expect(execution.logs[0]).toMatch(/^Order License: waiting at least \d\d s for the rate limit of this API key/);
});

test('after four 429s the node stops and says when to retry [S-84]', async () => {
  await serveInstead({ frozenAt: start, limit: 1, window: 'extend', windowMs: 600_000 });
  await spendLimit(1);
  startFakeTime();
  const error = await passTime(thrownBy(execute(prepare(service, 'getMe'))));
  expect(error).toMatchObject({ httpCode: '429', message: 'The API returned status 429' });
  expect(error.description).toMatch(/^Call again in \d+ s\./);
  expect(service.journal.total()).toBe(4);
});

test('in a manual run, a wait is shown in the browser while it lasts', async () => {
  await spendLimit();
  startFakeTime();
  const shown: string[] = [];
  const execution = prepare(service, 'getMe', {}, { mode: 'manual' });
  execution.context.sendMessageToUI = (message: string) => shown.push(message);
  await passTime(execute(execution));
  expect(shown).toEqual([expect.stringMatching(/^Order License: waiting at least \d\d s for the rate limit/)]);
});

test('cancelling ends the wait within a second [S-84]', async () => {
  await spendLimit();
  startFakeTime();
  const cancelled = new AbortController();
  const { context } = prepare(service, 'getMe', {}, { cancelSignal: cancelled.signal });
  // Not with `vi.waitFor`: vi keeps the timers and the Date of its first use, which would be the fake ones, for all files
  // that share this process.
  const rejected = new Promise((resolve) => service.journal.subscribe(resolve));
  const failed = thrownBy(new OrderLicense().execute.call(context));
  await rejected;
  const before = performance.now();
  cancelled.abort();
  expect((await failed).message).toContain('cancelled');
  expect(performance.now() - before).toBeLessThan(1_000);
});

test("waits between two pages to stay within the credential's requests per minute [S-83]", async () => {
  startFakeTime();
  const credential = { baseUrl: service.baseUrl, apiKey: service.keys.business, requestsPerMinute: 2 };
  const execution = prepare(service, 'listOrders', { returnAll: true }, { credential });
  const [items] = await passTime(execute(execution));
  expect(items).toHaveLength(120);
  const [first = 0, , third = 0] = service.journal.entries().map(({ at }) => at);
  expect(third - first).toBeGreaterThanOrEqual(60_000);
  expect(execution.hints[0]?.message).toMatch(/^Waited \d\d s in total for the rate limit of this API key\.$/);
});

test('says why orders may be missing from a list that changes while it is read [U-10]', async () => {
  const { id } = service.state.insertOrder('business');
  // Now the order is on the third page.
  for (let n = 0; n < 110; n++) service.state.insertOrder('business');
  service.journal.subscribe(({ number }) => {
    if (number === 1) service.state.removeOrder(id);
  });
  const execution = prepare(service, 'listOrders', { returnAll: true });
  await execute(execution);
  expect(execution.hints[0]?.message).toContain('orders were removed from the list while it was read');
});

test.each([false, true])(
  'says why orders may be missing even if the list fails later [details: %j]',
  async (includeDetails) => {
    await serveInstead({ frozenAt: start, limit: 'off' });
    service.set({ dates: 'zero' });
    service.faults.add({ kind: '500', operation: 'list', skip: 1, times: 'always' });
    startFakeTime();
    const parameters = { returnAll: true, includeDetails, filters: { createdFrom: '2020-01-01' } };
    const execution = prepare(service, 'listOrders', parameters, { continueOnFail: true });
    const [items] = await passTime(execute(execution));
    expect(items?.at(-1)?.json.error).toContain('500');
    expect(items?.length).toBeGreaterThan(1);
    expect(execution.hints.map(({ message }) => message)).toContain(
      'Orders may be missing: the date of an order cannot be read.',
    );
  },
);

test('a paid order without codes causes a hint, not an error [U-13]', async () => {
  const { id, bestellnummer } = service.state.insertOrder('business', { status: 'bezahlt', delivered: 0 });
  const waiting = prepare(service, 'getOrder', { ...orderBy('id', id), output: 'licenseCodes' });
  expect(await execute(waiting)).toEqual([[]]);
  expect(waiting.hints[0]?.message).toBe(
    `Paid or completed orders with a line item that has no license codes yet: ${bestellnummer}. Some products never get license codes.`,
  );
  const pending = service.state.insertOrder('business', { status: 'ausstehend' });
  const quiet = prepare(service, 'getOrder', orderBy('id', pending.id));
  await execute(quiet);
  expect(quiet.hints).toEqual([]);
});

test.each([
  ['orders', 'No orders were found.'],
  ['licenseCodes', 'No license codes were found. Only paid and completed orders have license codes.'],
])('says why a run has no items (%s)', async (output, what) => {
  const filters = { createdBefore: '1999-01-01' };
  const execution = prepare(service, 'listOrders', { output, filters });
  expect(await execute(execution)).toEqual([[]]);
  expect(execution.hints.map(({ message }) => message)).toEqual([what]);
});

test.each([[], ['order.items']])(
  'for an order without line items, does not say that there is no order [null: %j]',
  async (...nulls) => {
    const { id } = service.state.insertOrder('business', { items: [] });
    service.set({ nulls });
    const execution = prepare(service, 'getOrder', { ...orderBy('id', id), output: 'lineItems' });
    expect(await execute(execution)).toEqual([[]]);
    expect(execution.hints.map(({ message }) => message)).toEqual(['No line items were found.']);
  },
);

test('works in n8n versions without hints', async () => {
  const execution = prepare(
    service,
    'getOrder',
    orderBy('id', service.state.insertOrder('business', { delivered: 0 }).id),
  );
  Object.assign(execution.context, { addExecutionHints: undefined });
  const [items] = (await execute(execution)) as INodeExecutionData[][];
  expect(items).toHaveLength(1);
});

test('names orders that could not be read, and logs each retry', async () => {
  const [second, first] = [0, 1].map(() => service.state.insertOrder('business', {}));
  service.faults.add(`500;id=${first?.id};times=1`);
  service.faults.add({ response: { body: {} }, id: second?.id, times: 'always' });
  startFakeTime();
  const execution = prepare(service, 'listOrders', { limit: 2, includeDetails: true }, { continueOnFail: true });
  const [items] = await passTime(execute(execution));
  expect(items?.map(({ json }) => json.orderNumber)).toEqual([first?.bestellnummer, undefined]);
  expect(execution.hints.map(({ message }) => message)).toContain(
    `Orders that could not be read: ${second?.bestellnummer}. The output has an item with an 'error' field for each.`,
  );
  expect(execution.logs).toEqual([expect.stringContaining('Order License: retrying in 1 s (500)')]);
});

test('a hint about many orders names five and counts the others', async () => {
  for (let n = 0; n < 8; n++) service.state.insertOrder('business', { delivered: 0 });
  const execution = prepare(service, 'listOrders', { limit: 8, includeDetails: true });
  expect(await execute(execution)).toHaveLength(1);
  expect(execution.hints[0]?.message).toContain(' and 3 more.');
  expect((await run(service, 'getMe')).length).toBe(1);
});
