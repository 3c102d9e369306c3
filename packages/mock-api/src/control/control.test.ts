import http from 'node:http';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { orderExample } from '../orders/order-fields.ts';
import { listen } from '../server/listen.ts';
import { ask, headersFor, type Json, sendRaw, silenced } from '../test-client.fixture.ts';

const mock = await listen();
beforeEach(() => mock.reset());
afterAll(() => mock.close());

const call = async (
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: Json; text: string }> => {
  const response = await fetch(`${mock.controlUrl}${path}`, {
    method,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, body: json ? JSON.parse(text) : undefined, text };
};

test('a created key is shown once and works until it is revoked [S-64 S-65]', async () => {
  const { body } = await call('POST', '/keys', { account: 'otherAccount', name: 'erp' });
  expect(body).toEqual({ name: 'erp', key: expect.stringMatching(/^\S{40}$/) });
  expect((await ask(mock, '/me', { key: body.key })).status).toBe(200);
  expect((await call('GET', '/keys')).text).not.toContain(body.key);
  expect((await call('DELETE', '/keys/erp')).status).toBe(200);
  expect((await ask(mock, '/me', { key: body.key })).status).toBe(401);
});

test('changes orders and accounts [S-36]', async () => {
  const { body } = await call('POST', '/orders', {
    account: 'business',
    status: 'ausstehend',
    items: [{ menge: 2, einzelpreis_brutto: '12.50' }],
  });
  const read = async () => (await ask(mock, `/orders/${body.id}`)).body.data;
  expect(await read()).toMatchObject({
    bestellnummer: body.bestellnummer,
    status: 'ausstehend',
    gesamtpreis_brutto: '25.00',
  });
  await call('PATCH', `/orders/${body.id}`, { status: 'bezahlt' });
  expect((await read()).items[0].license_codes.length).toBe(2);
  const late = (await call('POST', '/orders', { delivered: 1, items: [{ menge: 2 }, { menge: 4 }] })).body;
  await call('PATCH', `/orders/${late.id}`, { deliver: 3 });
  const { items } = (await ask(mock, `/orders/${late.id}`)).body.data;
  expect(items.map((item: Json) => item.license_codes.length)).toEqual([2, 2]);
  await call('PATCH', '/accounts/business', { company: '', vat_id: '' });
  expect((await ask(mock, '/me')).status).toBe(403);
});

test.each([
  'PATCH /accounts/business',
  'PATCH /settings',
  'PATCH /clock',
  'POST /keys',
  'POST /scenarios',
  'POST /faults',
  'PATCH /orders/10954',
  'POST /orders',
  'PUT /orders',
])('%s rejects a misspelt field', async (name) => {
  const [method = '', path = ''] = name.split(' ');
  const { status, body } = await call(method, path, { staus: 'bezahlt' });
  expect([status, body.error]).toEqual([400, expect.stringContaining('"staus"')]);
});

test('the limit follows the clock [S-82]', async () => {
  await call('PATCH', '/clock', { freeze: 0 });
  let status = 200;
  for (let n = 0; n < 61; n++) ({ status } = await ask(mock, '/me'));
  expect(status).toBe(429);
  const { body } = await call('PATCH', '/clock', { advance: 60_000 });
  expect(body).toEqual({ now: 60_000, iso: '1970-01-01T00:01:00.000Z', frozen: true });
  expect((await ask(mock, '/me')).status).toBe(200);
  expect((await call('PATCH', '/clock', { resume: true })).body.frozen).toBe(false);
  expect((await call('PATCH', '/clock', { freeze: '2026-03-31 14:05:00' })).body.iso).toBe('2026-03-31T14:05:00.000Z');
});

test('accepts whole numbers that a JSON library wrote with a decimal point', async () => {
  const send = async (method: string, path: string, body: string) =>
    (await fetch(`${mock.controlUrl}${path}`, { method, body })).json() as Promise<Json>;
  expect(await send('PATCH', '/clock', '{"freeze": 5000.0, "advance": 1e3}')).toMatchObject({ now: 6000 });
  expect(await send('PATCH', '/settings', '{"set": {"limit": 2.0}}')).toMatchObject({ limit: 2 });
  expect(await send('POST', '/faults', '{"kind": "500", "times": 2.0}')).toMatchObject([{ times: 2 }]);
});

test('changes settings at run time [U-35]', async () => {
  const { body } = await call('PATCH', '/settings', { profile: 'lenient', set: { money: 'comma' } });
  expect([body.money, body.params]).toEqual(['comma', 'clamp']);
  expect((await ask(mock, '/orders?per_page=999')).body.data.orders[0].gesamtpreis_brutto).toMatch(/,\d\d$/);
  await call('PATCH', '/settings', { set: { ineligibleCodes: 'null' } });
  expect((await call('GET', '/settings')).body).toMatchObject({
    profile: 'lenient',
    settings: { ineligibleCodes: { value: 'null', default: 'empty', values: ['empty', 'absent', 'null'] } },
  });
});

test('adds, lists and removes faults and scenarios [S-77]', async () => {
  expect((await call('POST', '/faults', { kind: 'html', status: 503 })).status).toBe(200);
  expect((await call('GET', '/faults')).body.faults).toHaveLength(1);
  expect((await ask(mock, '/me')).status).toBe(503);
  expect((await call('GET', '/faults')).body.faults).toEqual([]);
  await call('POST', '/faults', { kind: 'html' });
  await call('DELETE', '/faults');
  expect((await ask(mock, '/me')).status).toBe(200);

  await call('POST', '/scenarios', { steps: [{ after: 1, do: 'revokeKey', key: 'business' }] });
  expect([(await ask(mock, '/me')).status, (await ask(mock, '/me')).status]).toEqual([200, 401]);
  await call('POST', '/scenarios', { steps: [{ after: 5, do: 'insertOrder', account: 'business' }] });
  expect((await call('GET', '/scenarios')).body.steps.length).toBe(1);
  await call('DELETE', '/scenarios');
  expect((await call('GET', '/scenarios')).body.steps).toEqual([]);
});

test('a step inserts its order without changing the digits of its numbers [U-22]', async () => {
  const step =
    '{"after": 1, "do": "insertOrder", "account": "business", "order": {"id": 5, "gesamtpreis_brutto": 1.50}}';
  await fetch(`${mock.controlUrl}/scenarios`, { method: 'POST', body: `{"steps": [${step}]}` });
  expect((await call('GET', '/scenarios')).text).toContain('"gesamtpreis_brutto": 1.50');
  await ask(mock, '/me');
  expect((await ask(mock, '/orders/5')).text).toContain('"gesamtpreis_brutto":1.50,');
});

test('the overview for the page contains the pending faults [S-77]', async () => {
  mock.faults.add({ kind: '500', times: 2, operation: 'list' });
  await ask(mock, '/orders');
  const { faults } = (await call('GET', '/overview')).body;
  expect(faults).toEqual([{ kind: 'status', status: 500, times: 2, operation: 'list', applied: 1 }]);
});

test('the overview contains the newest violation even after many later requests', async () => {
  expect((await call('GET', '/overview')).body.journal.newestViolation).toBe(null);
  mock.set({ limit: 'off' });
  await ask(mock, '/me?x=1');
  for (let n = 0; n < 100; n++) await mock.fetch('/api/v1/me', { headers: headersFor(mock) });
  const { entries, newestViolation } = (await call('GET', '/overview')).body.journal;
  expect([entries.length, entries[0].number, newestViolation.number]).toEqual([100, 2, 1]);
  expect(newestViolation.violations[0].point).toBe('S-40');
});

test('returns and filters the journal [S-59]', async () => {
  await ask(mock, '/me');
  await ask(mock, '/orders?page=2');
  await ask(mock, '/orders/1', { key: mock.keys.businessSecond });
  await ask(mock, '/me', { headers: { accept: 'text/html' } });
  expect((await call('GET', '/journal')).body).toMatchObject({ total: 4, held: 4, dropped: 0, droppedViolations: 0 });
  const numbers = async (query: string) =>
    (await call('GET', `/journal?${query}`)).body.entries.map(({ number }: Json) => number);
  expect(await numbers('')).toEqual([1, 2, 3, 4]);
  expect(await numbers('violations')).toEqual([4]);
  expect(await numbers('after=1')).toEqual([2, 3, 4]);
  expect(await numbers('operation=list&page=2&status=200&key=business')).toEqual([2]);
  expect(await numbers('id=1&status=404&method=GET')).toEqual([3]);
  expect(await numbers('key=businessSecond&violations=true')).toEqual([]);
  expect(await numbers('violations=false')).toEqual([1, 2, 3, 4]);
  await call('DELETE', '/journal');
  expect(await numbers('')).toEqual([]);
});

test('lists all calls, serves the OpenAPI description and is not rate-limited [S-01]', async () => {
  const { body } = await call('GET', '');
  expect(Object.keys(body).length).toBeGreaterThan(20);
  expect(body['PATCH /__mock/clock']).toEqual({ about: expect.any(String), body: { advance: 60_000 } });
  for (const route of Object.keys(body).filter((name) => name.startsWith('GET'))) {
    expect((await call('GET', route.replace('GET /__mock', ''))).status, route).toBe(200);
  }
  expect((await call('GET', '/openapi.yaml')).text).toMatch(/^openapi: 3\.1/m);
  expect((await call('GET', '/nothing')).body.error).toMatch(/lists all calls/);
  expect((await call('PUT', '/reset')).body.error).toBe('This path does not allow PUT. Use POST.');
  expect((await call('POST', '')).status).toBe(405);
  expect(mock.journal.total()).toBe(0);
});

test('every example body works as is', async () => {
  const { body: calls } = await call('GET', '');
  const shown = Object.entries<Json>(calls).filter(([, { body }]) => body !== undefined);
  expect(shown.length).toBe(Object.keys(calls).filter((name) => /^(PUT|PATCH|POST .*(?<!reset)$)/.test(name)).length);
  for (const [name, { body }] of shown) {
    const [method = '', path = ''] = name.split(' ');
    mock.reset();
    const [{ id }] = (await ask(mock, '/orders')).body.data.orders;
    const own = path.replace('/__mock', '').replace('{account}', 'business').replace('{id}', id);
    const answer = await call(method, own, body);
    expect([answer.status, answer.text], name).toEqual([200, expect.not.stringContaining('"error"')]);
  }
});

test('returns an inserted order with the fields that were sent [S-18 S-26 S-28 S-31]', async () => {
  const { body } = await call('POST', '/orders', orderExample);
  const { items, billing_address, ...entry } = orderExample as Json;
  expect(body).toEqual(entry);
  const detail = (await ask(mock, `/orders/${orderExample.id}`)).body.data;
  const { zahlungsstatus, lieferstatus, created_at, ...stated } = entry;
  expect(detail).toEqual({ ...stated, items, billing_address });
  expect((await ask(mock, '/orders')).body.data.orders).toContainEqual(entry);
});

test('accepts complete API responses with undocumented fields', async () => {
  const detail = { status: 200, data: { id: 5, bestellnummer: 'X', steuer: '19.00', items: [] } };
  expect((await call('POST', '/orders', detail)).body.orders).toEqual([expect.objectContaining({ id: 5 })]);
  expect((await ask(mock, '/orders/5')).body.data).toMatchObject(detail.data);
  const list = { account: 'otherAccount', orders: [{ id: 6 }, { id: 7, steuer: '19.00' }] };
  expect((await call('POST', '/orders', list)).body.orders.length).toBe(2);
  expect((await ask(mock, '/orders/7', { key: mock.keys.otherAccount })).status).toBe(200);
});

test('a response warns about fields and values that are not in the API docs', async () => {
  const warn = silenced('warn');
  const odd = { id: 9, status: 'paid', steuer: '19.00' };
  const warnings = [expect.stringMatching(/served as given: status "paid", steuer$/)];
  expect((await call('POST', '/orders', odd)).body).toMatchObject({ ...odd, warnings });
  expect((await call('PUT', '/orders', [odd])).body).toMatchObject({ orders: [odd], warnings });
  expect((await call('PATCH', '/orders/9', { status: 'late' })).body.warnings).toEqual([
    expect.stringMatching(/: status "late"$/),
  ]);
  expect(warn).toHaveBeenCalledTimes(3);
  expect((await call('POST', '/orders', { id: 10, status: 'bezahlt' })).body).not.toHaveProperty('warnings');
});

test('replaces and removes orders, and applies every field of a change [S-36]', async () => {
  const ids = async () => (await ask(mock, '/orders')).body.data.orders.map(({ id }: Json) => id);
  const ofOther = async () =>
    (await ask(mock, '/orders', { key: mock.keys.otherAccount })).body.data.pagination.total as number;
  const put = await call('PUT', '/orders', [{ id: 5 }, { id: 6, status: 'bezahlt' }]);
  expect([put.status, put.body.orders.length, await ids()]).toEqual([200, 2, [6, 5]]);
  await call('PATCH', '/orders/6', { items: [{ product_name: 'Neu', menge: '4' }], gesamtpreis_brutto: 7 });
  expect((await ask(mock, '/orders/6')).body.data).toMatchObject({
    gesamtpreis_brutto: 7,
    items: [{ product_name: 'Neu', menge: '4', license_codes: [{}, {}, {}, {}] }],
  });
  expect((await call('POST', '/orders', [{ id: 8 }, { id: 5 }])).body.error).toBe(
    'the id 5 belongs to another order; choose a different id',
  );
  expect(await ids()).toEqual([6, 5]);
  await call('DELETE', '/orders/6');
  expect(await ids()).toEqual([5]);
  await call('DELETE', '/orders');
  expect([await ids(), await ofOther()]).toEqual([[], 30]);
  await call('DELETE', '/orders?account=otherAccount');
  expect(await ofOther()).toBe(0);
});

test('changes an order by its ID, and returns it in the default format, whatever the settings', async () => {
  const { body } = await call('POST', '/orders', { status: 'ausstehend', items: [{ menge: 3 }] });
  expect(body).toMatchObject({ status: 'ausstehend', zahlungsstatus: 'offen', lieferstatus: 'offen' });
  await call('PATCH', '/settings', { set: { ids: 'string', lieferstatus: 'versendet' } });
  const { id } = body;
  const changed = await call('PATCH', `/orders/${id}`, { status: 'bezahlt', zahlungsstatus: 'teilbezahlt' });
  expect(changed.body).toEqual({
    ...body,
    status: 'bezahlt',
    zahlungsstatus: 'teilbezahlt',
    lieferstatus: 'geliefert',
  });
  expect((await ask(mock, '/orders')).body.data.orders[0]).toMatchObject({
    id: String(id),
    zahlungsstatus: 'teilbezahlt',
    lieferstatus: 'versendet',
  });
});

test('withholds the license keys of an order until it is paid [S-37]', async () => {
  const license_codes = [{ license_key: 'OWN-KEY-1' }, { license_key: 'OWN-KEY-2' }];
  const { id } = (await call('POST', '/orders', { status: 'ausstehend', items: [{ menge: 2, license_codes }] })).body;
  const read = async () => (await ask(mock, `/orders/${id}`)).text;
  expect(await read()).not.toContain('OWN-KEY');
  const { text } = await call('PATCH', `/orders/${id}`, { status: 'bezahlt' });
  expect(text).not.toContain('OWN-KEY');
  expect(await read()).toMatch(/OWN-KEY-1.*OWN-KEY-2/);
});

test('a call whose body is cut off changes nothing [S-36]', async () => {
  const log = silenced('error');
  const sent = http.request(`${mock.controlUrl}/orders`, { method: 'POST', headers: { 'content-length': 10 } });
  sent.on('error', () => undefined).write('{}');
  await call('GET', '/health');
  sent.destroy();
  for (let n = 0; n < 3; n++) await call('GET', '/health');
  expect(mock.state.orders('business').count()).toBe(120);
  expect(log).not.toHaveBeenCalled();
});

test('reset restores the initial state, byte for byte [S-36]', async () => {
  const fresh = (await ask(mock, '/orders?per_page=50')).text;
  await call('POST', '/orders', {});
  await call('DELETE', '/keys/businessSecond');
  await call('PATCH', '/settings', { profile: 'adversarial' });
  await call('POST', '/reset');
  expect((await ask(mock, '/orders?per_page=50')).text).toBe(fresh);
  expect((await ask(mock, '/me', { key: mock.keys.businessSecond })).status).toBe(200);
});

test('delivering codes of an order that never has any is an error that says what to do', async () => {
  const insert = async (order: object) => (await call('POST', '/orders', order)).body.id;
  const none = await insert({ status: 'bezahlt', items: [{ license_codes: [] }, { code_typ: null }] });
  const change = { status: 'abgeschlossen', deliver: 1 };
  const { status, body } = await call('PATCH', `/orders/${none}`, change);
  expect([status, body.error]).toEqual([
    400,
    expect.stringMatching(/^order \d+ has no license codes to deliver; insert it without license_codes/),
  ]);
  expect(mock.state.order(none).status).toBe('bezahlt');
  expect(() => mock.state.deliverCodes(none)).toThrow('has no license codes to deliver');
  const pending = await insert({ status: 'ausstehend', items: [{ license_codes: [] }] });
  expect((await call('PATCH', `/orders/${pending}`, change)).status).toBe(200);
});

test('changes an order completely or not at all [S-36]', async () => {
  const { id } = (await call('POST', '/orders', { status: 'bezahlt', delivered: 0, items: [{ menge: 2 }] })).body;
  const before = (await ask(mock, `/orders/${id}`)).text;
  for (const [body, sentence] of [
    [{ status: 'storniert', deliver: -1 }, 'deliver must be a whole number of at least 0, not "-1"'],
    [{ status: 'storniert', deliver: '1' }, 'deliver must be a whole number of at least 0, not "1"'],
    [{ deliver: 1, created_at: 'offen' }, /^created_at must be a date/],
  ] as const) {
    const { error } = (await call('PATCH', `/orders/${id}`, body)).body;
    expect(error).toMatch(sentence);
    expect((await ask(mock, `/orders/${id}`)).text).toBe(before);
  }
  await call('PATCH', `/orders/${id}`, { status: 'abgeschlossen', deliver: 1 });
  const { status, items } = (await ask(mock, `/orders/${id}`)).body.data;
  expect([status, items[0].license_codes.length]).toEqual(['abgeschlossen', 1]);
});

test('a rejected clock change changes nothing [S-82]', async () => {
  await call('PATCH', '/clock', { freeze: 1000 });
  for (const [body, sentence] of [
    [{}, 'a clock change needs advance (ms), freeze (true or a time) or resume (true)'],
    [{ advance: '60000' }, 'advance must be a number of milliseconds, 0 or more, not "60000"'],
    [{ advance: 1e300 }, 'advance would move the clock past the year 9999'],
    [{ freeze: 1e18 }, 'freeze must be true or a time in ms since 1970'],
    [{ freeze: '5' }, 'freeze must be true or a time'],
    [{ freeze: 5, advance: -1 }, 'advance must be a number of milliseconds'],
    [{ freeze: 5, resume: 'yes' }, 'resume must be true'],
    [{ freeze: 253_402_300_799_999, advance: 1 }, 'advance would move'],
  ] as const) {
    const { status, body: answer } = await call('PATCH', '/clock', body);
    expect([status, answer.error]).toEqual([400, expect.stringContaining(sentence)]);
    expect((await call('GET', '/clock')).body).toEqual({ now: 1000, iso: '1970-01-01T00:00:01.000Z', frozen: true });
  }
  const moved = (await call('PATCH', '/clock', { freeze: 5000, advance: 10, resume: true })).body;
  expect([moved.frozen, moved.now >= 5010, moved.now < 6000]).toEqual([false, true, true]);
});

test.each<[method: string, path: string, body: object | undefined, sentence: string]>([
  ['PATCH', '/orders/0x2a', { status: 'bezahlt' }, 'the order ID must be a whole number of at least 0, not "0x2a"'],
  ['PATCH', '/orders/1', { status: 'bezahlt' }, 'there is no order with the id 1'],
  ['PATCH', '/orders/10954', { id: 7 }, 'the id of an order cannot be changed'],
  ['DELETE', '/keys/%zz', undefined, 'the name "%zz" in the path has invalid percent-encoding'],
  ['PATCH', '/settings', { set: null }, 'set must be an object such as {"money": "number"}'],
  ['PATCH', '/settings', { profile: 'lenient', set: [] }, 'set must be an object such as {"money": "number"}'],
  ['PATCH', '/settings', { profile: 'lenient', set: { money: 'gold' } }, 'money must be one of string, number'],
  ['PATCH', '/settings', { profile: 'odd' }, 'the profiles are strict, lenient, adversarial'],
  ['POST', '/orders', { items: [null] }, 'items[0] must be an object'],
  ['POST', '/orders', { orders: [{ id: 8 }, { id: 8.5 }] }, 'orders[1]: id must be a whole number'],
  ['POST', '/orders', { account: 5 }, 'account must be a string'],
  ['POST', '/orders', [1], 'an order or API response must be an object or an array'],
  ['POST', '/reset', [1], 'The body must be a JSON object, or an array of orders.'],
  ['POST', '/keys', { account: 'business', name: 5 }, 'name must be a string'],
  ['POST', '/faults', { kind: 'x' }, 'there is no fault "x"'],
  ['POST', '/scenarios', {}, 'steps must be an array'],
  ['PATCH', '/accounts/business', { company: 5 }, 'company must be a string'],
  ['GET', '/journal?status=four', undefined, 'status must be a whole number from 100 to 599, not "four"'],
  ['GET', '/journal?after=1&after=2', undefined, 'after is given twice'],
  ['GET', '/journal?violations=yes', undefined, 'violations must be one of '],
])('%s %s with the invalid body %j is rejected and changes nothing [S-10]', async (method, path, body, sentence) => {
  const answer = await call(method, path, body);
  expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(sentence)]);
  expect(mock.settings().params).toBe('reject');
});

test('accepts control calls as health checks, proxies and routers send them', async () => {
  const health = await sendRaw(mock, '/__mock/health');
  expect(await sendRaw(mock, '/__mock/health', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  for (const path of ['/__mock/health/', `${mock.controlUrl}/health`])
    expect(await sendRaw(mock, path)).toMatchObject({ status: 200, text: health.text });
});

test('rejects a control body that is not JSON, or not UTF-8, instead of changing its characters', async () => {
  const send = async (body: string | Uint8Array) => {
    const { status, text } = await sendRaw(mock, '/__mock/orders', { method: 'POST', body });
    return [status, text];
  };
  const latin1 = Buffer.from('{"items": [{"product_name": "Büro"}]}', 'latin1');
  expect(await send(latin1)).toEqual([400, expect.stringContaining('The body is not UTF-8')]);
  expect(await send('{')).toEqual([400, expect.stringContaining('it ends at column 2, before it is complete')]);
});
