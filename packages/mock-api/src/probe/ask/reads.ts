import { statuses } from '../../data/order.ts';
import { dataOf, pagingOf } from '../evidence.ts';
import type { Answer, Asker } from './asker.ts';
import { chooseOrders, type Listed, listedIn } from './choose-orders.ts';

/** An ID that fits into 31 bits and that no order should have. */
export const nobodyPath = '/orders/2147483646';
const lastPageRead = 4;
/** The page to ask for if the list doesn't state its number of pages. */
const farPage = 99_999;

/** Asks the well-formed questions (§4). @returns the listed orders */
export const askReads = async (asker: Asker): Promise<Listed[]> => {
  const me = await asker.ask({ name: 'me', path: '/me' });
  if (me?.status === 401)
    asker.stop('GET /me was answered 401: the service does not accept the key. Check ORDER_LICENSE_API_KEY.');
  if (me?.status === 403)
    asker.stop('GET /me was answered 403: only accounts with a company or VAT ID may use the service.');
  const list = await asker.ask({ name: 'list', path: '/orders' });
  const one = await asker.ask({ name: 'listOne', path: '/orders?per_page=1' });
  const read = [list, one, ...(await askPages(asker))];
  for (const status of statuses) {
    read.push(await asker.ask({ name: 'filter', path: `/orders?status=${status}&per_page=50`, orderStatus: status }));
  }
  const filter = largestFilter(read);
  if (filter) {
    const path = `/orders?status=${filter}&page=2&per_page=5`;
    read.push(await asker.ask({ name: 'filterSecond', path, orderStatus: filter }));
  }
  await asker.ask({ name: 'nobody', path: nobodyPath });
  await asker.ask({ name: 'meOrigin', path: '/me', headers: { origin: 'https://order-license-probe.example' } });
  const etag = me?.headers.get('etag');
  if (etag) await asker.ask({ name: 'meUnchanged', path: '/me', headers: { 'if-none-match': etag } });

  const listed = listedIn(read);
  for (const { id, status } of chooseOrders(listed)) {
    await asker.ask({ name: 'order', path: `/orders/${id}`, orderStatus: status });
  }
  return listed;
};

const askPages = async (asker: Asker): Promise<(Answer | undefined)[]> => {
  const first = await asker.ask({ name: 'listPages', path: '/orders?page=1&per_page=50' });
  const read = [first];
  const pages = pagingOf(first, 'pages');
  for (let page = 2; page <= Math.min(pages ?? 1, lastPageRead); page++) {
    read.push(await asker.ask({ name: 'listPages', path: `/orders?page=${page}&per_page=50` }));
  }
  for (let again = 0; again < 2; again++) {
    read.push(await asker.ask({ name: 'listAgain', path: '/orders?page=1&per_page=50' }));
  }
  read.push(await asker.ask({ name: 'listSecond', path: '/orders?page=2&per_page=20' }));
  const beyond = pages === undefined ? farPage : Math.max(pages, 1) + 1;
  await asker.ask({ name: 'beyond', path: `/orders?page=${beyond}&per_page=50` });
  return read;
};

/** Returns the status with the most orders, if it has more than five. */
const largestFilter = (read: readonly (Answer | undefined)[]): string | undefined => {
  const counts = read.flatMap((answer) => {
    const status = answer?.question.name === 'filter' ? answer.question.orderStatus : undefined;
    const orders = dataOf(answer)?.orders;
    return status && Array.isArray(orders) ? [{ status, count: orders.length }] : [];
  });
  const [largest] = counts.sort((a, b) => b.count - a.count);
  return largest && largest.count > 5 ? largest.status : undefined;
};
