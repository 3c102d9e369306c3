import { expect, onTestFinished, test } from 'vitest';
import { type JournalEntry, listen } from '../packages/mock-api/src/index.ts';
import { createHome, type Run } from './n8n/home.ts';
import { maxInAMinute } from './n8n/max-in-a-minute.ts';
import { httpRequest, orderLicense, workflowOf } from './n8n/workflows.ts';

const orders = 5_000;
const keys = { business: 'key-of-the-pack', businessSecond: 'key-of-the-other' };

/** The expression that n8n's documentation suggests for detecting the last page. */
const allRead = '$pageCount + 1 >= $response.body.data.pagination.pages';

const seconds = (entries: JournalEntry[]): number => ((entries.at(-1)?.at ?? 0) - (entries[0]?.at ?? 0)) / 1000;

const read = (run: Run, node: string) =>
  (run.data.resultData.runData[node]?.[0]?.data?.main[0] ?? []).map(({ json }) => json);

test("the node reads 5,000 orders at 60 requests a minute, but the HTTP Request node's pagination loses 2,000 of them [S-78 S-83]", async () => {
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
    workflowOf('http', httpRequest('http', `${mock.baseUrl}/orders`, keys.businessSecond, allRead)),
  ]);

  const pack = await home.execute('pack');
  const requests = mock.journal.entries();
  const ids = new Set(read(pack, 'Order License').map(({ id }) => id));
  expect(pack.status).toBe('success');
  expect(ids.size).toBe(orders);
  // Behind the full last page, one more request proves the end of the list.
  expect(requests.map(({ status }) => status)).toEqual(Array.from({ length: 101 }, () => 200));
  // The node leaves 8 of the 60 requests per minute for polls and users.
  expect(maxInAMinute(requests.map(({ at }) => at))).toBe(52);
  expect(mock.journal.violations()).toEqual([]);

  console.log(`Order License: ${ids.size} orders in ${seconds(requests)} s, no 429`);

  // The 429 ends the HTTP Request node's pagination. The run counts as a success, although two fifths of the orders are
  // missing.
  mock.reset();
  const http = await home.execute('http');
  const pages = read(http, 'HTTP Request') as { data?: { orders: unknown[] } }[];
  const found = pages.flatMap(({ data }) => data?.orders ?? []).length;
  console.log(`HTTP Request: ${http.status}, ${found} orders in ${seconds(mock.journal.entries())} s`);
  expect({ status: http.status, found }).toEqual({ status: 'success', found: 3_000 });
}, 240_000);
