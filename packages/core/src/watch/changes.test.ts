import { expect, test } from 'vitest';
import { orderSummaryShape } from '../model/order.ts';
import type { ChangesOptions } from './changes.ts';
import { createProgram, createWatchedShop, everything, minuteMs } from './watched-shop.fixture.ts';

const setUp = async (options: Partial<ChangesOptions> = {}, orders = 300) => {
  const shop = createWatchedShop({ orders });
  const program = createProgram(shop, { ...everything, ...options });
  await program.poll();
  await program.pollFor(11);
  const orderAt = (index: number) =>
    shop.mock.state.orders('business').page(index, 1)[0] as { id: number; createdAt: number };
  /** Pending orders that the first pages of the list do not show. */
  const oldPending = (): number[] =>
    shop.mock.state
      .orders('business')
      .page(60, 240)
      .flatMap(({ id, status }) => (status === 'ausstehend' ? [id] : []));
  const alwaysFail = (...ids: number[]) => {
    for (const id of ids) shop.mock.faults.add({ kind: '500', id, times: 'always' });
  };
  return { shop, program, orderAt, oldPending, alwaysFail };
};

test('an order that breaks the connection on each read delays no other event', async () => {
  const { shop, program, oldPending } = await setUp({
    includeDetails: ['newOrder'],
    events: ['newOrder', 'statusChanged'],
  });
  const [left = 0] = oldPending();
  shop.setStatus(left, 'storniert');
  const [broken, whole] = [shop.insert(), shop.insert({ status: 'bezahlt' })];
  shop.broken.add(left).add(broken);
  await program.pollFor(3);
  expect(program.warnings.join()).toContain(`Order ${left} could not be read`);
  // The list of cancelled orders shows the new status.
  expect(program.eventIds()).toEqual([`new-order:${whole}`, `status:${left}:storniert`]);
  shop.broken.clear();
  await program.pollFor(10);
  expect(program.eventIds().slice(2)).toEqual([`new-order:${broken}`]);
});

test.each([{ nulls: ['order.status'] }, { missing: ['order.status'] }])(
  'an order whose details have no status keeps its status until a later read [%j]',
  async (fields) => {
    const { shop, program, oldPending } = await setUp({ events: ['statusChanged', 'licenseCodeAvailable'] });
    const [paid = 0, completed = 0] = oldPending();
    shop.mock.set(fields);
    shop.setStatus(paid, 'bezahlt');
    shop.setStatus(completed, 'abgeschlossen');
    await program.pollFor(20);
    expect(program.eventIds().filter((id) => id.startsWith('status'))).toEqual([`status:${paid}:bezahlt`]);
    expect(program.eventIds().some((id) => id.startsWith(`license-code:${paid}`))).toBe(true);
    shop.mock.set({ nulls: [], missing: [] });
    await program.pollFor(60);
    expect(program.eventIds()).toContain(`status:${completed}:abgeschlossen`);
    expect(program.told.find(({ event }) => event === 'statusChanged')).toMatchObject({ previousStatus: 'ausstehend' });
    expect(program.eventIds().join()).not.toContain('other-');
  },
);

test('an order that returns 429 on each read does not end later polls', async () => {
  const { shop, program, oldPending } = await setUp({ events: ['statusChanged'] });
  const [limited = 0, whole = 0] = oldPending();
  shop.mock.faults.add({ kind: '429', id: limited, times: 'always' });
  shop.setStatus([limited, whole], 'storniert');
  await program.pollFor(10);
  expect(program.eventIds()).toContain(`status:${whole}:storniert`);
  expect(program.warnings.join()).toContain(`Order ${limited} could not be read`);
});

test('a page that fails during a catch-up delays only its own events, but makes polls throw after ten minutes', async () => {
  const { shop, program, oldPending } = await setUp({ events: ['newOrder', 'statusChanged'] });
  const [changed = 0] = oldPending();
  const ids = shop.insertMany(80, { status: 'bezahlt' });
  shop.mock.faults.add({ kind: '500', operation: 'list', page: 2, times: 'always' });
  shop.setStatus(changed, 'storniert');
  await program.pollFor(3);
  const readable = ids.slice(30).map((id) => `new-order:${id}`);
  expect(program.eventIds()).toEqual([`status:${changed}:storniert`, ...readable]);
  expect(program.warnings.join()).toContain('The poll ended early');
  await program.pollFor(7);
  shop.pass(minuteMs);
  expect((await program.poll()).error).toMatchObject({ code: 'server' });
  shop.mock.faults.clear();
  await program.pollFor(2);
  expect(program.eventIds().slice(51)).toEqual(ids.slice(0, 30).map((id) => `new-order:${id}`));
});

test('while a page of a catch-up fails, changes in other lists are reported even after ten minutes', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const ids = shop.insertMany(1_000);
  const program = createProgram(shop, { events: ['newOrder', 'statusChanged'] });
  await program.pollFor(12);
  shop.insertMany(80, { status: 'bezahlt' });
  shop.foreign = ({ url }) => (url.includes('page=2&') && !url.includes('status=') ? {} : undefined);
  await program.pollFor(20);
  const changed = [100, 300, 500, 700].map((index) => ids[index] as number);
  shop.setStatus(changed, 'storniert');
  await program.pollFor(60);
  const changes = program.eventIds().filter((id) => id.startsWith('status'));
  expect(changes.sort()).toEqual(changed.map((id) => `status:${id}:storniert`));
});

test('the next poll reads a page that failed once, and skips it if it fails again', async () => {
  const shop = createWatchedShop({ orders: 0 });
  shop.insertMany(120);
  const program = createProgram(shop, { events: ['statusChanged'] });
  await program.pollFor(4);
  const read: string[] = [];
  shop.foreign = ({ url }) => {
    const page = /page=(\d)&.*status=/.exec(url)?.[1];
    if (page) read.push(page);
    return page === '2' ? {} : undefined;
  };
  await program.pollFor(8);
  expect(read.join('')).toMatch(/^1+223/);
});

test('polls throw if a page of a status list fails for ten minutes, with a warning that names the page', async () => {
  const { shop, program, oldPending } = await setUp({ events: ['statusChanged'] });
  const [changed = 0] = oldPending();
  shop.foreign = ({ url }) => (url.includes('status=bezahlt') ? {} : undefined);
  const errors: unknown[] = [];
  for (let minute = 0; minute < 20; minute++) {
    shop.pass(minuteMs);
    if (minute === 15) shop.setStatus(changed, 'storniert');
    errors.push((await program.poll()).error);
  }
  expect(errors.findIndex((error) => error !== undefined)).toBeGreaterThanOrEqual(10);
  expect(errors.at(-1)).toMatchObject({
    code: 'invalid_response',
    warnings: [expect.stringMatching(/^Page \d of the orders with status bezahlt could not be read/)],
  });
  expect(program.eventIds()).toEqual([`status:${changed}:storniert`]);
});

test('twelve failing orders delay a healthy one by five minutes at most', async () => {
  const { shop, program, alwaysFail } = await setUp({ includeDetails: true, events: ['newOrder'] });
  alwaysFail(...shop.insertMany(12));
  const whole = shop.insert();
  await program.pollFor(5);
  expect(program.eventIds()).toEqual([`new-order:${whole}`]);
  await program.pollFor(15);
  expect(program.told).toHaveLength(13);
});

test('sixty removed orders delay no other event', async () => {
  const { shop, program } = await setUp({ includeDetails: true, watch: 'all' }, 150);
  for (const { id } of shop.mock.state.orders('business').page(40, 60)) shop.mock.state.removeOrder(id);
  await program.pollFor(3);
  const id = shop.insert({ status: 'bezahlt' });
  await program.pollFor(1);
  const whole = program.told.filter(({ details }) => details !== undefined);
  expect(whole.map(({ eventId }) => eventId)).toEqual([`new-order:${id}`, `paid:${id}`]);
});

test.each([
  ['to position 80 of the list', 300, 81],
  ['below the newest 100 orders', 100, undefined],
  ['while another order is removed', 90, undefined],
])('reports a new order backdated %s, and later its payment', async (_place, orders, below) => {
  const { shop, program, orderAt } = await setUp({ events: below ? ['newOrder', 'paid'] : ['paid'] }, orders);
  if (orders < 100) shop.mock.state.removeOrder(orderAt(0).id);
  const id = shop.insert({ createdAt: below ? orderAt(below).createdAt + 1_000 : Date.UTC(2001, 0, 1) });
  await program.pollFor(2);
  expect(program.eventIds()).toEqual(below ? [`new-order:${id}`] : []);
  shop.setStatus(id, 'bezahlt');
  await program.pollFor(3);
  expect(program.eventIds().slice(below ? 1 : 0)).toEqual([`paid:${id}`]);
});

test('reports all codes of a backdated order that arrives between two requests of a poll', async () => {
  const { shop, program, orderAt } = await setUp({ events: ['newOrder', 'licenseCodeAvailable'] });
  const createdAt = orderAt(30).createdAt + 1_000;
  let id = 0;
  shop.foreign = ({ url }) => {
    if (/page=1\b.*status=bezahlt/.test(url))
      id ||= shop.insert({ status: 'bezahlt', codes: 2, delivered: 1, createdAt });
    return undefined;
  };
  await program.pollFor(6);
  expect(id).not.toBe(0);
  shop.mock.state.deliverCodes(id, 1);
  await program.pollFor(10);
  expect(program.told.map(({ event }) => event)).toEqual(['newOrder', 'licenseCodeAvailable', 'licenseCodeAvailable']);
});

test('reports payment and completion once each, as two events', async () => {
  const { shop, program } = await setUp({ events: ['paid', 'completed'], watch: 'all' });
  const id = shop.insert();
  await program.pollFor(1);
  for (const status of ['bezahlt', 'ausstehend', 'bezahlt', 'abgeschlossen', 'bezahlt', 'abgeschlossen'] as const) {
    shop.setStatus(id, status);
    await program.pollFor(1);
  }
  expect(program.eventIds()).toEqual([`paid:${id}`, `completed:${id}`]);
});

test('an order that is first seen as completed causes a `paid` event, then a `completed` event', async () => {
  const { shop, program } = await setUp({ events: ['completed', 'paid', 'newOrder'] });
  const id = shop.insert({ status: 'abgeschlossen' });
  await program.pollFor(1);
  expect(program.eventIds()).toEqual([`new-order:${id}`, `paid:${id}`, `completed:${id}`]);
});

test('finds the list entry of an older order with one request, where its ID belongs', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const id = shop.insert();
  shop.insertMany(220, { status: 'storniert' });
  const program = createProgram(shop, { events: ['statusChanged'] });
  await program.poll();
  shop.setStatus(id, 'storniert');
  const before = shop.sent();
  await program.poll();
  const text = expect.any(String);
  const order = { id, status: 'storniert', created_at: text, zahlungsstatus: text, lieferstatus: text };
  expect(program.told).toMatchObject([{ previousStatus: 'ausstehend', order }]);
  // The others read the head, the pending orders and the order.
  expect(shop.sent() - before).toBe(4);
});

test('if no request is left to look for its list entry, an event has what the order itself shows', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const id = shop.insert();
  shop.insertMany(60, { status: 'storniert' });
  const program = createProgram(shop, { events: ['statusChanged'] });
  await program.poll();
  shop.setStatus(id, 'storniert');
  await program.poll({ requests: 3 });
  const order = { id, bestellnummer: expect.any(String), created_at: null, lieferstatus: null };
  expect(program.told).toMatchObject([{ eventId: `status:${id}:storniert`, order }]);
});

test('an event whose list entry is not found is reported with null fields', async () => {
  const { shop, program, orderAt } = await setUp({ events: ['statusChanged'] });
  // The order's number is out of sequence, so a search by number does not find it.
  const id = shop.insert({ createdAt: orderAt(200).createdAt + 1_000 });
  await program.pollFor(12);
  shop.setStatus(id, 'storniert');
  await program.pollFor(1);
  const unlisted = { created_at: null, zahlungsstatus: null, lieferstatus: null };
  expect(program.told).toMatchObject([{ order: { id, status: 'storniert', ...unlisted } }]);
  expect(Object.keys(program.told[0]?.order ?? {}).sort()).toEqual(Object.keys(orderSummaryShape).sort());
});

test.each(['404', '400'] as const)(
  'an order whose ID is far from the others is found, and delays no other event (page beyond the last: %s) [U-05]',
  async (pageBeyondLast) => {
    const shop = createWatchedShop({ orders: 0, set: { pageBeyondLast } });
    shop.insert({ id: 1_000 });
    for (let n = 0; n < 120; n++) shop.insert({ id: 100_000 + n });
    const program = createProgram(shop, { events: ['statusChanged'] });
    await program.pollFor(3);
    shop.setStatus([1_000, 100_030], 'storniert');
    await program.pollFor(1);
    expect(program.told).toMatchObject(
      [1_000, 100_030].map((id) => ({ order: { id, created_at: expect.stringMatching(/^20/) } })),
    );
    expect(program.warnings).toEqual([]);
  },
);

test('throws if no list can be read for ten minutes, and continues once a list can be read', async () => {
  const { shop, program } = await setUp({ events: ['newOrder'] });
  const id = shop.insert();
  shop.breakAfter(0);
  const outcomes: boolean[] = [];
  for (let minute = 0; minute < 12; minute++) {
    shop.pass(minuteMs);
    outcomes.push((await program.poll()).error !== undefined);
  }
  expect(outcomes.indexOf(true)).toBe(10);
  shop.breakAfter(undefined);
  await program.pollFor(1);
  expect(program.eventIds()).toEqual([`new-order:${id}`]);
});

test('a poll without enough time for a request throws `timeout`, not `rate_limited`', async () => {
  const shop = createWatchedShop({ orders: 1 });
  await expect(shop.client.changes({ events: ['newOrder'], deadlineMs: 1_000 })).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('The poll had less than 1500 of its 1000 ms left'),
  });
  expect(shop.sent()).toBe(0);
});

test('a poll that gets no permit throws the store’s `rate_limited` error', async () => {
  const shop = createWatchedShop({ orders: 1 });
  shop.limit(1);
  const limited = { code: 'rate_limited', retryAfterMs: 51_000 };
  await expect(shop.client.changes({ events: ['newOrder'] })).rejects.toMatchObject(limited);
});

test('no warning quotes a response that is not from the API', async () => {
  const { shop, program } = await setUp({ includeDetails: true, events: ['newOrder', 'statusChanged'] });
  const id = shop.insert();
  const headers = { 'content-type': 'text/canary', server: 'CANARY' };
  shop.foreign = ({ url }) => (/orders\/|status=/.test(url) ? headers : undefined);
  await program.pollFor(1);
  expect(program.warnings.join()).toContain(`Order ${id} could not be read`);
  expect(program.warnings.join()).toContain('status ausstehend could not be read');
  shop.foreign = () => headers;
  await program.pollFor(1);
  expect(program.warnings.join()).toContain('The poll ended early');
  expect(program.warnings.join()).not.toMatch(/canary/i);
});

test('throws at once if the API rejects the key', async () => {
  const { shop, program } = await setUp({ events: ['newOrder'] });
  shop.mock.faults.add({ kind: '401', times: 'always' });
  expect((await program.poll()).error).toMatchObject({ code: 'authentication' });
});

test('a state from another account starts a new baseline and causes a warning', async () => {
  const { program } = await setUp({ events: ['newOrder'] });
  const other = createWatchedShop({ orders: 40 });
  const next = createProgram(other, { events: ['newOrder'] }, program.saved());
  other.mock.state.insertOrder('business', {});
  await next.poll();
  expect(next.told).toEqual([]);
  expect(next.warnings).toEqual([expect.stringMatching(/^The state is from another account or base URL/)]);
  expect(next.state().head?.seen.size).toBe(41);
});

test.each([{ version: 3 }, { version: 4 }, { version: 4, state: {} }])(
  'the state %j, which is from another program, starts a new baseline and causes a warning',
  async (state) => {
    const shop = createWatchedShop({ orders: 1 });
    const { events, warnings } = await shop.client.changes({ events: ['newOrder'], state: state as never });
    expect({ events, warnings }).toEqual({ events: [], warnings: [expect.stringContaining('not from this version')] });
  },
);

test.each([
  [{ events: [] }, '`events`'],
  [{ events: ['orderPaid'] }, '`events`'],
  [{ events: ['paid'], statuses: ['paid'] }, '`status`'],
  [{ events: ['paid'], watch: 'closed' }, '`watch`'],
])('rejects the options %j before any request', async (options, message) => {
  const shop = createWatchedShop({ orders: 1 });
  await expect(shop.client.changes(options as never)).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining(message),
  });
  expect(shop.mock.journal.count({})).toBe(0);
});
