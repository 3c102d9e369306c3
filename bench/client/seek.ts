import {
  type Client,
  createClient,
  type Host,
  type OrderFinder,
  type OrderLicenseError,
  type OrderSummary,
  toDate,
} from '@order-license/core/portable';
import { createMock } from '@order-license/mock-api';
import { askMock } from '@order-license/testing/in-process-host';
import { createRandom } from '@order-license/testing/random';
import { table } from '../table.ts';

const orders = 100_000;
const targets = 2_000;
const bound = Math.ceil(Math.log2(orders / 50)) + 2;

type Entry = Pick<OrderSummary, 'id' | 'bestellnummer' | 'created_at'>;

/**
 * A list of 100,000 orders to search. Each search starts with the original list, without the orders that arrived during
 * earlier searches.
 */
interface Contender {
  name: string;
  newestFirst: Entry[];
  newSend(): Host['send'];
}

const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/**
 * Creates five years of orders, oldest first. Weekends have few orders, holidays have none, and campaign days have
 * `campaign` times as many as usual. The number of orders grows every year. Order numbers have gaps of up to nine, and
 * restart each year.
 */
const makeHistory = (campaign: number): Entry[] => {
  const random = createRandom(1);
  const firstDay = Date.UTC(2021, 0, 1);
  const weights = Array.from({ length: 1_826 }, (_, day) => {
    const weekday = new Date(firstDay + day * 86_400_000).getUTCDay();
    const isHoliday = random() < 0.04;
    const isCampaign = random() < 0.02;
    const trend = 1 + day / 900;
    return isHoliday ? 0 : trend * (0.2 + random()) * (weekday % 6 === 0 ? 0.1 : 1) * (isCampaign ? campaign : 1);
  });
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const times: number[] = [];
  let share = 0;
  for (const [day, weight] of weights.entries()) {
    share += weight;
    while (times.length < Math.round((share / whole) * orders)) {
      times.push(firstDay + day * 86_400_000 + Math.floor(random() * 86_400) * 1_000);
    }
  }
  times.sort((a, b) => a - b);
  let year = 0;
  let sequence = 0;
  return times.map((time, index) => {
    const now = new Date(time).getUTCFullYear();
    sequence = now === year ? sequence + (random() < 0.3 ? 2 + Math.floor(random() * 8) : 1) : 1;
    year = now;
    return {
      id: index + 1,
      bestellnummer: `B-${year}-${String(sequence).padStart(6, '0')}`,
      created_at: timeText(time),
    };
  });
};

/** A mock API whose list gains an order before each response. */
const unevenList = (campaign: number): Contender => {
  const history = makeHistory(campaign);
  const arrival = (index: number): Entry => ({
    id: index + 1,
    bestellnummer: `B-2026-${String(index - orders + 1).padStart(6, '0')}`,
    created_at: timeText(Date.UTC(2026, 0, 1) + (index - orders) * 1_000),
  });
  return {
    name: `${campaign} × on campaign days`,
    newestFirst: history.toReversed(),
    newSend() {
      let total = orders;
      return async ({ url }) => {
        total += 1;
        const { searchParams } = new URL(url);
        const [page, perPage] = [Number(searchParams.get('page')), Number(searchParams.get('per_page'))];
        const rows: Entry[] = [];
        for (let index = total - 1 - (page - 1) * perPage; index >= 0 && rows.length < perPage; index--) {
          rows.push(history[index] ?? arrival(index));
        }
        const pagination = { page, per_page: perPage, total, pages: Math.ceil(total / perPage) };
        const body = JSON.stringify({ status: 200, data: { orders: rows, pagination } });
        return { status: 200, headers: { 'content-type': 'application/json' }, body: new TextEncoder().encode(body) };
      };
    },
  };
};

const mockKey = 'bench-key';

const evenList = async (): Promise<Contender> => {
  const mock = createMock({ orders, limit: 'off', journalSize: 1, keys: { business: mockKey } });
  const send: Host['send'] = (request) => askMock(mock, mockKey, request);
  const client = newClient(send);
  return {
    name: 'evenly spread, no arrivals',
    newestFirst: await Array.fromAsync(client.orders()),
    newSend: () => send,
  };
};

let time = 0;

/** All clients share the limit of one key, so they need the same clock. A request takes 10 ms, then its permit is free. */
const newClient = (send: Host['send']): Client => {
  const host: Host = {
    async send(request) {
      time += 10;
      return send(request);
    },
    now: () => time,
    sleep: async (ms) => {
      time += ms;
    },
  };
  const rateLimit = { requests: 10_000, windowMs: 1, guardMs: 0, minGapMs: 0 };
  return createClient({ baseUrl: 'https://shop.example/api/v1', apiKey: mockKey, host, rateLimit });
};

interface Found {
  isFound: boolean;
  requests: number;
}

const searches: Record<string, (client: Client, wanted: Entry) => Promise<Found>> = {
  async 'by number'(client, wanted) {
    const { summary, search } = await client.findOrder(wanted.bestellnummer, { maxRequests: 100 });
    return { isFound: summary.id === wanted.id, requests: search.requests };
  },
  async 'by date'(client, wanted) {
    // `createdBefore` is the end of the second in which the order was created, so the first order of the walk is the
    // newest of that second.
    const createdBefore = new Date(Number(toDate(wanted.created_at)) + 1_000);
    let requests: number | undefined;
    for await (const page of client.orderPages({ createdBefore })) {
      // The first page of the walk itself does not count as part of the search.
      requests ??= page.requests - 1;
      const [first] = page.orders;
      if (first) return { isFound: first.created_at === wanted.created_at, requests };
    }
    return { isFound: false, requests: requests ?? 0 };
  },
};

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/**
 * Returns the number of requests after which a page-by-page walk reaches a position in the list. During each request,
 * `arrivals` new orders move the position further down.
 */
const pageByPage = (place: number, arrivals: number): number => Math.ceil((place + 1) / (50 - arrivals));

const benchSeek = async (): Promise<string> => {
  const rows: string[][] = [];
  const lists = [[unevenList(10), 1] as const, [unevenList(30), 1] as const, [await evenList(), 0] as const];
  for (const [contender, arrivals] of lists) {
    for (const [name, search] of Object.entries(searches)) {
      const random = createRandom(7);
      const requests: number[] = [];
      const linear: number[] = [];
      let missed = 0;
      for (let n = 0; n < targets; n++) {
        const place = Math.floor(random() * orders);
        const found = await search(newClient(contender.newSend()), contender.newestFirst[place] as Entry);
        if (!found.isFound) missed += 1;
        requests.push(found.requests);
        linear.push(pageByPage(place, arrivals));
      }
      rows.push([
        `${name}: ${contender.name}`,
        ...[median(requests), Math.max(...requests), missed, median(linear), Math.max(...linear)].map(String),
      ]);
    }
  }
  return table(
    [`${targets} random targets`, 'requests, median', `max (bound ${bound})`, 'missed', 'page by page, median', 'max'],
    rows,
  );
};

const numbersOfRun = 200;

/**
 * Looks up many order numbers, half of which do not exist: first with a separate search for each number, then with one
 * finder for all numbers.
 */
const benchFinder = async (): Promise<string> => {
  const rows: string[][] = [];
  for (const contender of [unevenList(10), unevenList(30), await evenList()]) {
    const random = createRandom(11);
    const numbers = Array.from({ length: numbersOfRun }, (_, n) => {
      const { bestellnummer } = contender.newestFirst[Math.floor(random() * orders)] as Entry;
      return n % 2 === 0 ? bestellnummer : `${bestellnummer.slice(0, -6)}9${bestellnummer.slice(-5)}`;
    });
    const requestsBy = async (finderOf: () => OrderFinder): Promise<number> => {
      let requests = 0;
      for (const number of numbers) {
        const outcome = await finderOf()
          .find(number)
          .catch((error: unknown) => error as OrderLicenseError);
        requests += outcome.search?.requests ?? 0;
      }
      return requests;
    };
    const shared = newClient(contender.newSend()).orderFinder();
    const separately = await requestsBy(() => newClient(contender.newSend()).orderFinder());
    rows.push([contender.name, String(separately), String(await requestsBy(() => shared))]);
  }
  return table(
    [`requests for ${numbersOfRun} numbers, half of them unknown`, 'a finder each', 'one finder for all'],
    rows,
  );
};

console.log(`${await benchSeek()}\n\n${await benchFinder()}`);
