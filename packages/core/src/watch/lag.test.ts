import { expect, test } from 'vitest';
import {
  createProgram,
  createWatchedShop,
  everything,
  hourMs,
  idsOf,
  minuteMs,
  type WatchedShop,
} from './watched-shop.fixture.ts';

const setUp = async (options = everything) => {
  const shop = createWatchedShop({ orders: 0 });
  const items = [{ menge: 2, license_codes: 2 }];
  const created_at = new Date(shop.mock.clock.now()).toISOString();
  const insert = (status: 'ausstehend' | 'bezahlt', delivered = 0): number =>
    shop.change((state) => state.insertOrder('business', { status, items, delivered, created_at })).id;
  const ids = Array.from({ length: 5 }, () => insert('ausstehend'));
  const program = createProgram(shop, options);
  await program.settle(3);
  /** Replaces the bodies of responses for one order, for one poll. */
  const pollWith = async (change: (body: string) => string): Promise<void> => {
    const { fetch } = shop.mock;
    shop.mock.fetch = async (...request) => {
      const response = await fetch(...request);
      return /orders\/\d/.test(String(request[0])) ? new Response(change(await response.text()), response) : response;
    };
    await program.poll();
    shop.mock.fetch = fetch;
    shop.pass(minuteMs);
  };
  return { shop, program, ids, insert, pollWith };
};

const authorized = ({ mock }: WatchedShop) => ({ headers: { authorization: `Bearer ${mock.keys.business}` } });

const codesOf = (events: readonly { eventId: string }[]) =>
  events.filter(({ eventId }) => eventId.startsWith('license-code'));

test('reports codes although the first read of the order has no items', async () => {
  const { shop, program, ids, pollWith } = await setUp();
  const [id = 0] = ids;
  shop.change((state) => {
    state.setStatus(id, 'bezahlt');
    state.deliverCodes(id, 2);
  });
  await pollWith((body) => body.replace(/"items":\[.*?\}\]\}\]/, '"items":[]'));
  await program.pollFor(10);
  expect(codesOf(program.told)).toHaveLength(2);
});

test('reports codes although a copy lacks them when they are read again', async () => {
  const { shop, program, ids } = await setUp();
  const [id = 0] = ids;
  shop.change((state) => state.setStatus(id, 'bezahlt'));
  await program.pollFor(1);
  shop.pass(4 * minuteMs);
  shop.change((state) => state.deliverCodes(id, 1));
  await program.pollFor(2);
  let turn = 0;
  shop.lag('details', () => (turn++ % 2 === 0 ? 0.1 : 0.9));
  shop.change((state) => state.deliverCodes(id, 1));
  await program.pollFor(20);
  expect(codesOf(program.told)).toHaveLength(2);
  expect(new Set(idsOf(program.told)).size).toBe(program.told.length);
});

test('tells a step back in status only by a read ten minutes after its first sighting', async () => {
  const { shop, program, insert } = await setUp({ ...everything, watch: 'all' });
  const id = insert('bezahlt');
  await program.pollFor(2);
  shop.change((state) => state.setStatus(id, 'ausstehend'));
  await program.pollFor(9);
  const steps = () => idsOf(program.told).filter((eventId) => eventId === `status:${id}:ausstehend`);
  expect(steps()).toEqual([]);
  await program.pollFor(4);
  expect(steps()).toHaveLength(1);
});

test('an earlier status that an old list shows is not told', async () => {
  const { shop, program, ids } = await setUp({ ...everything, watch: 'all' });
  const [id = 0] = ids;
  let turn = 0;
  shop.lag('lists', () => (turn++ % 4 < 2 ? 0.1 : 0.9));
  shop.change((state) => state.setStatus(id, 'bezahlt'));
  await program.pollFor(40);
  expect(idsOf(program.told).filter((eventId) => eventId.startsWith('status'))).toEqual([`status:${id}:bezahlt`]);
});

test('remembers an order for an hour after the last list showed it', async () => {
  const { shop, program, ids } = await setUp();
  const [id = 0] = ids;
  for (const status of ['bezahlt', 'abgeschlossen'] as const) {
    shop.change((state) => state.setStatus(id, status));
    await program.pollFor(2);
  }
  shop.change((state) => state.deliverCodes(id, 2));
  await program.pollFor(50);
  const has = () => program.state().orders.has(String(id));
  expect(has()).toBe(true);
  await program.pollFor(20);
  expect(has()).toBe(false);
});

test('statuses in other letters are the documented ones', async () => {
  const { shop, program, ids } = await setUp();
  const { fetch } = shop.mock;
  shop.mock.fetch = async (...request) => {
    const response = await fetch(...request);
    const text = (await response.text()).replace(/"(ausstehend|bezahlt)"/g, (status) => status.toUpperCase());
    return new Response(text, response);
  };
  await program.pollFor(3);
  expect(program.told).toEqual([]);
  shop.change((state) => state.setStatus(ids[0] as number, 'bezahlt'));
  await program.pollFor(2);
  expect(idsOf(program.told)).toEqual([`status:${ids[0]}:bezahlt`, `paid:${ids[0]}`]);
  expect(program.told[0]).toMatchObject({ order: { status: 'bezahlt' }, previousStatus: 'ausstehend' });
});

test('no order of the newest second counts as new, though the second is larger than a response and in changing sequence [U-09]', async () => {
  const shop = createWatchedShop({ orders: 30, set: { tieBreak: 'shuffle' } });
  for (let n = 0; n < 120; n++) shop.mock.state.insertOrder('business', { items: [] });
  const program = createProgram(shop, { events: ['newOrder'] });
  await program.pollFor(30);
  expect(program.told).toEqual([]);
  const { id } = shop.mock.state.insertOrder('business', { items: [] });
  await program.pollFor(1);
  expect(idsOf(program.told)).toEqual([`new-order:${id}`]);
});

test('finds a change below a first page that stays the same, though `total` does too', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const insert = (status: 'bezahlt' | 'storniert') => {
    shop.pass(1_000);
    return shop.mock.state.insertOrder('business', { status, items: [] }).id;
  };
  const ids = Array.from({ length: 300 }, (_, n) => insert(n === 150 ? 'storniert' : 'bezahlt'));
  const program = createProgram(shop, { events: ['statusChanged'] });
  await program.settle(4);
  const [leaves = 0, enters = 0] = [ids[100], ids[150]];
  shop.mock.state.setStatus(leaves, 'abgeschlossen');
  shop.mock.state.setStatus(enters, 'bezahlt');
  await program.pollFor(6);
  expect(idsOf(program.told)).toEqual([`status:${leaves}:abgeschlossen`]);
});

test('codes that an order paid before the baseline gets within ten minutes of its first read are new', async () => {
  const { shop, insert, program: first } = await setUp();
  const id = insert('bezahlt', 1);
  const program = createProgram(shop, everything, undefined);
  await first.poll();
  await program.pollFor(2);
  shop.change((state) => state.deliverCodes(id, 1));
  await program.pollFor(30);
  expect(codesOf(program.told)).toHaveLength(2);
  shop.pass(hourMs);
});

test('tells each event of a backdated order once, though an old copy of the list lacks it for some minutes', async () => {
  const { shop, program } = await setUp();
  const insert = (minutesAgo: number): number => {
    const created_at = new Date(shop.mock.clock.now() - minutesAgo * minuteMs).toISOString();
    return shop.change((state) => state.insertOrder('business', { status: 'ausstehend', items: [], created_at })).id;
  };
  insert(0);
  await program.pollFor(5);
  const { fetch } = shop.mock;
  const old = await (await fetch(`https://x/api/v1/orders?page=1&per_page=50`, authorized(shop))).text();
  shop.mock.fetch = async (...request) => {
    const response = await fetch(...request);
    return String(request[0]).endsWith('/orders?page=1&per_page=50') ? new Response(old, response) : response;
  };
  const before = program.told.length;
  const id = insert(20);
  await program.pollFor(2);
  shop.change((state) => state.setStatus(id, 'bezahlt'));
  await program.pollFor(2);
  shop.mock.fetch = fetch;
  await program.pollFor(3);
  expect(idsOf(program.told.slice(before)).sort()).toEqual([`new-order:${id}`, `paid:${id}`]);
});
