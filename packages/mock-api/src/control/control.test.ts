import http from 'node:http';
import { afterAll, beforeEach, expect, test } from 'vitest';
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

test('inserts and changes an order, and changes an account [S-36]', async () => {
  const items = [
    { menge: 2, einzelpreis_brutto: '12.50' },
    { menge: 4, einzelpreis_brutto: '0.00' },
  ];
  const { body } = await call('POST', '/orders', { status: 'ausstehend', delivered: 1, items });
  expect(body).toMatchObject({ status: 'ausstehend', zahlungsstatus: 'offen', gesamtpreis_brutto: '25.00' });
  const read = async () => (await ask(mock, `/orders/${body.id}`)).body.data;
  expect(await read()).toMatchObject({ bestellnummer: body.bestellnummer, status: 'ausstehend' });
  const changed = await call('PATCH', `/orders/${body.id}`, { status: 'bezahlt', deliver: 2 });
  expect(changed.body).toEqual({
    ...body,
    status: 'bezahlt',
    zahlungsstatus: 'bezahlt',
    lieferstatus: 'teilgeliefert',
  });
  expect((await read()).items.map((item: Json) => item.license_codes.length)).toEqual([2, 1]);
  await call('PATCH', '/accounts/business', { company: '', vat_id: '' });
  expect((await ask(mock, '/me')).status).toBe(403);
});

test('advancing the clock by a window frees the limit [S-82]', async () => {
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

test('adds, lists and removes faults [S-77]', async () => {
  const rule = { response: { status: 503, body: { error: [] } }, times: 1 };
  expect((await call('POST', '/faults', rule)).body).toEqual([{ kind: 'response', ...rule, applied: 0 }]);
  expect((await call('GET', '/faults')).body.faults).toHaveLength(1);
  expect(await ask(mock, '/me')).toMatchObject({ status: 503, body: { error: [] } });
  expect((await call('GET', '/faults')).body.faults).toEqual([]);
  await call('POST', '/faults', { kind: 'html' });
  await call('DELETE', '/faults');
  expect((await ask(mock, '/me')).status).toBe(200);
});

test('adds, lists and removes scenario steps', async () => {
  const step = { do: 'revokeKey', key: 'business' };
  await call('POST', '/scenarios', { steps: [{ after: 1, ...step }] });
  expect([(await ask(mock, '/me')).status, (await ask(mock, '/me')).status]).toEqual([200, 401]);
  await call('POST', '/scenarios', { steps: [{ after: 5, ...step }] });
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

test('the overview contains the pending faults, and the newest violation even after many later requests [S-77]', async () => {
  const overview = async () => (await call('GET', '/overview')).body;
  mock.faults.add({ kind: '500', times: 2, operation: 'list' });
  await ask(mock, '/orders');
  const { faults, journal } = await overview();
  expect(faults).toEqual([{ kind: 'status', status: 500, times: 2, operation: 'list', applied: 1 }]);
  expect(journal.newestViolation).toBe(null);
  mock.set({ limit: 'off' });
  await ask(mock, '/me?x=1');
  for (let n = 0; n < 100; n++) await mock.fetch('/api/v1/me', { headers: headersFor(mock) });
  const { entries, newestViolation } = (await overview()).journal;
  expect([entries.length, entries[0].number, newestViolation.number]).toEqual([100, 3, 2]);
  expect(newestViolation.violations[0].point).toBe('S-40');
});

test('returns and filters the journal [S-59]', async () => {
  for (const path of ['/me', '/orders?page=2', '/orders/1', '/me?x=1']) await ask(mock, path);
  expect((await call('GET', '/journal')).body).toMatchObject({ total: 4, held: 4, dropped: 0, droppedViolations: 0 });
  for (const [query, expected] of [
    ['', [1, 2, 3, 4]],
    ['violations', [4]],
    ['violations=false&after=1', [2, 3, 4]],
    ['operation=list&page=2&status=200&key=business', [2]],
    ['id=1&status=404&method=GET', [3]],
  ] as const) {
    const { entries } = (await call('GET', `/journal?${query}`)).body;
    expect(entries.map(({ number }: Json) => number)).toEqual(expected);
  }
  await call('DELETE', '/journal');
  expect((await call('GET', '/journal')).body.entries).toEqual([]);
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

test('every example body works without changes', async () => {
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

test('inserts the orders of a response into any account', async () => {
  const list = { account: 'otherAccount', orders: [{ id: 6 }, { status: 200, data: { id: 7, items: [] } }] };
  expect((await call('POST', '/orders', list)).body.orders).toMatchObject([{ id: 6 }, { id: 7 }]);
  expect((await ask(mock, '/orders/7', { key: mock.keys.otherAccount })).status).toBe(200);
});

test('the response to a change warns about fields and values that are not in the API docs', async () => {
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

test('replaces and removes orders [S-36]', async () => {
  const ids = async (key = mock.keys.business) =>
    (await ask(mock, '/orders?per_page=50', { key })).body.data.orders.map(({ id }: Json) => id);
  const put = await call('PUT', '/orders', [{ id: 5 }, { id: 6, status: 'bezahlt' }]);
  expect([put.status, put.body.orders.length, await ids()]).toEqual([200, 2, [6, 5]]);
  expect((await call('POST', '/orders', [{ id: 8 }, { id: 5 }])).status).toBe(400);
  expect(await ids()).toEqual([6, 5]);
  await call('DELETE', '/orders/6');
  expect(await ids()).toEqual([5]);
  await call('DELETE', '/orders');
  expect([await ids(), (await ids(mock.keys.otherAccount)).length]).toEqual([[], 30]);
  await call('DELETE', '/orders?account=otherAccount');
  expect(await ids(mock.keys.otherAccount)).toEqual([]);
});

test('changes an order by its ID, and returns it in the default format, whatever the settings', async () => {
  const { body } = await call('POST', '/orders', { status: 'ausstehend' });
  await call('PATCH', '/settings', { set: { ids: 'string', lieferstatus: 'versendet' } });
  const { id } = body;
  const changed = await call('PATCH', `/orders/${id}`, { status: 'bezahlt', zahlungsstatus: 'teilbezahlt' });
  const states = { zahlungsstatus: 'teilbezahlt', lieferstatus: 'geliefert' };
  expect(changed.body).toEqual({ ...body, status: 'bezahlt', ...states });
  const [entry] = (await ask(mock, '/orders')).body.data.orders;
  expect(entry).toMatchObject({ id: String(id), ...states, lieferstatus: 'versendet' });
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

test.each<[order: object, change: object, sentence: string | RegExp]>([
  [{}, { status: 'storniert', deliver: -1 }, 'deliver must be a whole number of at least 0, not "-1"'],
  [{}, { status: 'storniert', deliver: '1' }, 'deliver must be a whole number of at least 0, not "1"'],
  [{}, { deliver: 1, created_at: 'offen' }, /^created_at must be a date/],
  [
    { items: [{ license_codes: [] }, { code_typ: null }] },
    { status: 'abgeschlossen', deliver: 1 },
    /^order \d+ has no license codes to deliver; insert it without license_codes/,
  ],
])('changes the order %j completely or not at all: %j [S-36]', async (order, change, sentence) => {
  const { id } = (await call('POST', '/orders', { status: 'bezahlt', delivered: 0, ...order })).body;
  const before = (await ask(mock, `/orders/${id}`)).text;
  const { status, body } = await call('PATCH', `/orders/${id}`, change);
  expect([status, body.error]).toEqual([400, expect.stringMatching(sentence)]);
  expect((await ask(mock, `/orders/${id}`)).text).toBe(before);
});

test('a pending order without license codes can deliver the usual ones', async () => {
  const { id } = (await call('POST', '/orders', { status: 'ausstehend', items: [{ license_codes: [] }] })).body;
  expect((await call('PATCH', `/orders/${id}`, { status: 'bezahlt', deliver: 1 })).status).toBe(200);
});

test('a rejected clock change changes nothing [S-82]', async () => {
  await call('PATCH', '/clock', { freeze: 1000 });
  for (const [body, sentence] of [
    [{}, 'a clock change needs advance (ms), freeze (true or a time) or resume (true)'],
    [{ advance: '60000' }, 'advance must be a number of milliseconds, 0 or more, not "60000"'],
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
  ['PATCH', '/accounts/business', { staus: 'bezahlt' }, '"staus"'],
  ['PATCH', '/settings', { staus: 'bezahlt' }, '"staus"'],
  ['PATCH', '/clock', { staus: 'bezahlt' }, '"staus"'],
  ['POST', '/keys', { staus: 'bezahlt' }, '"staus"'],
  ['POST', '/scenarios', { staus: 'bezahlt' }, '"staus"'],
  ['POST', '/faults', { staus: 'bezahlt' }, '"staus"'],
  ['PATCH', '/orders/10954', { staus: 'bezahlt' }, '"staus"'],
  ['POST', '/orders', { staus: 'bezahlt' }, '"staus"'],
  ['PUT', '/orders', { staus: 'bezahlt' }, '"staus"'],
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
])('rejects %s %s with the invalid body %j, and changes nothing [S-10]', async (method, path, body, sentence) => {
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
