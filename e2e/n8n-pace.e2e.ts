import { expect, onTestFinished, test } from 'vitest';
import { type JournalEntry, listen } from '../packages/mock-api/src/index.ts';
import { createHome, type Run } from './n8n/home.ts';
import { mostInAMinute } from './n8n/most-in-a-minute.ts';
import { httpRequest, orderLicense, workflowOf } from './n8n/workflows.ts';

const orders = 5_000;
const keys = { business: 'key-of-the-pack', businessSecond: 'key-of-the-other' };

/** How a user may tell the HTTP Request node that all pages are read, and what comes of it when the limit is hit. */
const waysToEnd: Record<string, string> = {
  'by-pages': '$pageCount + 1 >= $response.body.data.pagination.pages',
  'by-orders': '$response.body.data.orders.length === 0',
};
const httpOutcomes: Record<string, object> = {
  'by-pages': { status: 'error', orders: 0 },
  // The refusal is taken for the end of the list.
  'by-orders': { status: 'success', orders: 3_000 },
};

const seconds = (entries: JournalEntry[]): number => ((entries.at(-1)?.at ?? 0) - (entries[0]?.at ?? 0)) / 1000;

const read = (run: Run, node: string) =>
  (run.data.resultData.runData[node]?.[0]?.data?.main[0] ?? []).map(({ json }) => json);

test('S-78 S-83 5,000 orders at 60 requests a minute, beside the HTTP Request node with its pagination', async () => {
  const mock = await listen({ orders, keys });
  const home = createHome();
  onTestFinished(async () => {
    home.remove();
    await mock.close();
  });
  await home.importCredential({ baseUrl: mock.baseUrl, apiKey: keys.business });
  const all = { resource: 'order', operation: 'listOrders', returnAll: true, simplify: false };
  await home.importWorkflows([
    workflowOf('pack', orderLicense('pack', all)),
    ...Object.entries(waysToEnd).map(([id, when]) =>
      workflowOf(id, httpRequest(id, `${mock.baseUrl}/orders`, keys.businessSecond, when)),
    ),
  ]);

  const pack = await home.execute('pack');
  const requests = mock.journal.entries();
  const ids = new Set(read(pack, 'Order License').map(({ id }) => id));
  expect(pack.status).toBe('success');
  expect(ids.size).toBe(orders);
  expect(requests.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
  expect(mostInAMinute(requests.map(({ at }) => at))).toBe(60);
  expect(mock.journal.violations()).toEqual([]);

  console.log(`Order License: ${ids.size} orders in ${seconds(requests)} s, no 429`);

  const outcome = async (id: string) => {
    mock.reset();
    const run = await home.execute(id);
    const pages = read(run, 'HTTP Request') as { data?: { orders: unknown[] } }[];
    const orders = pages.flatMap(({ data }) => data?.orders ?? []).length;
    return { status: run.status, orders, seconds: seconds(mock.journal.entries()) };
  };
  for (const id of Object.keys(waysToEnd)) {
    const { status, orders, seconds } = await outcome(id);
    console.log(`HTTP Request until ${waysToEnd[id]}: ${status}, ${orders} orders in ${seconds} s`);
    expect({ id, status, orders }).toEqual({ id, ...httpOutcomes[id] });
  }
}, 240_000);
