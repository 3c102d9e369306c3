// Compares our node with n8n's HTTP Request node in a real n8n: the totals of a month three years ago, among 100,000
// orders. Both results are checked against the list read page by page.
import { listen } from '@order-license/mock-api';
import { createHome, type Run } from '../../e2e/n8n/home.ts';
import { httpRequest, orderLicense, workflowOf } from '../../e2e/n8n/workflows.ts';
import { table } from '../table.ts';

const keys = { business: 'key-of-the-pack', businessSecond: 'key-of-the-other' };
const month = { from: '2023-06-01', before: '2023-07-01' };

interface Listed {
  created_at: string;
  gesamtpreis_brutto: string;
}

const itemsOf = (run: Run, node: string) =>
  (run.data.resultData.runData[node]?.[0]?.data?.main[0] ?? []).map(({ json }) => json);
const ofMonth = (orders: Listed[]) =>
  orders.filter(({ created_at }) => created_at >= month.from && created_at < month.before);
const cents = (amounts: unknown[]) =>
  amounts.reduce<bigint>((sum, amount) => sum + BigInt(String(amount).replace('.', '')), 0n);

const mock = await listen({ orders: 100_000, keys, journalSize: 5_000 });
const home = createHome();
const spent = () => {
  const entries = mock.journal.entries();
  const ms = (entries.at(-1)?.at ?? 0) - (entries[0]?.at ?? 0);
  return {
    requests: entries.length,
    rejected: entries.filter(({ status }) => status === 429).length,
    seconds: ms / 1000,
  };
};

/** Reads all pages back to the month, with the rate limit off. */
const readPages = async (): Promise<{ pages: number; orders: Listed[] }> => {
  mock.set({ limit: 'off' });
  const orders: Listed[] = [];
  let pages = 0;
  while ((orders.at(-1)?.created_at ?? '9999') >= month.from) {
    pages += 1;
    const headers = { Authorization: `Bearer ${keys.business}`, Accept: 'application/json' };
    const answer = await mock.fetch(`${mock.baseUrl}/orders?per_page=50&page=${pages}`, { headers });
    orders.push(...((await answer.json()) as { data: { orders: Listed[] } }).data.orders);
  }
  return { pages, orders: ofMonth(orders) };
};

try {
  await home.importCredential({ baseUrl: mock.baseUrl, apiKey: keys.business });
  const filters = { createdFrom: `${month.from}T00:00:00Z`, createdBefore: `${month.before}T00:00:00Z` };
  const totals = { resource: 'order', operation: 'listOrders', output: 'totals', filters };
  const isPast = `$response.body.data.orders.at(-1).created_at < '${month.from}'`;
  await home.importWorkflows([
    workflowOf('pack', orderLicense('pack', totals)),
    workflowOf('http', httpRequest('http', `${mock.baseUrl}/orders`, keys.businessSecond, isPast)),
  ]);

  const pack = await home.execute('pack');
  const groups = itemsOf(pack, 'Order License');
  const found = groups.reduce((sum, { orders }) => sum + Number(orders), 0);
  const packSpent = spent();
  mock.reset();
  const http = await home.execute('http');
  const pages = itemsOf(http, 'HTTP Request') as { data?: { orders: Listed[] } }[];
  const read = pages.flatMap(({ data }) => data?.orders ?? []);
  const httpSpent = spent();
  const list = await readPages();

  if (pack.status !== 'success' || groups.some(({ complete }) => complete !== true)) throw new Error('not complete');
  const sums = [groups.map(({ grossTotal }) => grossTotal), list.orders.map((order) => order.gesamtpreis_brutto)].map(
    cents,
  );
  if (found !== list.orders.length || sums[0] !== sums[1]) throw new Error('the totals are wrong');

  const row = (name: string, orders: number, { requests, rejected, seconds }: ReturnType<typeof spent>) => [
    name,
    String(requests),
    String(rejected),
    String(orders),
    seconds.toFixed(1),
  ];
  console.log(
    table(
      [`${list.orders.length} orders of June 2023`, 'requests', '429', 'orders found', 'seconds'],
      [
        row('Order License, Totals', found, packSpent),
        row(`HTTP Request, no interval (${http.status})`, ofMonth(read).length, httpSpent),
        [
          'page by page at 60 a minute (calculated)',
          String(list.pages),
          '0',
          String(list.orders.length),
          String(list.pages - 1),
        ],
      ],
    ),
  );
} finally {
  home.remove();
  await mock.close();
}
