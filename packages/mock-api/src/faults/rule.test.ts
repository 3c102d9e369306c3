import { validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createInnerMock } from '../mock.ts';
import { listen, type MockServer } from '../server/listen.ts';
import { ask } from '../test-client.fixture.ts';
import { faultKinds } from './fault.ts';
import { checkFault, type FaultInput, parseFault } from './rule.ts';

let mock: MockServer;

beforeAll(async () => {
  mock = await listen({ limit: 'off' });
});
beforeEach(() => mock.reset());
afterAll(() => mock.close());

test('the kind of a fault can be an HTTP status, as a number or as text', () => {
  expect(checkFault({ kind: 500 })).toEqual(checkFault({ kind: '500' }));
  expect(() => checkFault({ kind: 600 })).toThrow(/status of a fault must be/);
});

test('an invalid fault is rejected with a message [U-43]', async () => {
  expect(() => parseFault('explode')).toThrow(/no fault "explode"; use one of status, html/);
  expect(() => parseFault('html;503')).toThrow(/be written like html;status=503/);
  expect(() => parseFault('delay;ms=soon')).toThrow(/ms of a fault must be a number such as 1000, or a range/);
  expect(() => checkFault({ kind: 'status', colour: 1 })).toThrow(/no "colour"/);
  for (const times of [0, -1, 1.5, 'never', null]) {
    expect(() => checkFault({ kind: 'status', times })).toThrow('times of a fault must be a whole number from 1 to');
  }
  expect(() => checkFault({ kind: 'status', probability: 0.5 })).toThrow(/no "probability"/);
  const { status, body } = await ask(mock, '/me', { headers: { 'x-mock-fault': 'explode' } });
  expect(status).toBe(400);
  expect(body.error).toContain('there is no fault "explode"');
});

test('a delay is at most a day [U-43]', () => {
  expect(checkFault({ kind: 'delay', ms: 86_400_000 })).toMatchObject({ ms: 86_400_000 });
  for (const ms of [86_400_001, 1e12, '1..86400001', 'lognormal:120:0.5']) {
    expect(() => checkFault({ kind: 'delay', ms })).toThrow(/of at most 86400000 ms \(one day\), not/);
  }
  expect(() => createInnerMock({ latency: 1e12 })).toThrow(
    /^latency must be a number .* of at most 86400000 ms \(one day\)/,
  );
});

test('a response is checked, and excludes a kind [U-43]', async () => {
  const rejected = (rule: object) => () => mock.faults.add(rule);
  expect(rejected({ response: { status: 199 } })).toThrow(
    'status of response of a fault must be a whole number from 200',
  );
  expect(rejected({ response: { statuss: 500 } })).toThrow(
    'response of a fault has no "statuss"; use one of status, headers',
  );
  expect(rejected({ response: { delayMs: 'soon' } })).toThrow(/^delayMs of response of a fault must be a number/);
  expect(rejected({ response: { headers: { location: 'http://x\r\ny' } } })).toThrow(
    /location must be a string of printable/,
  );
  expect(rejected({ kind: 'html', response: {} })).toThrow('a fault has response or the kind "html", not both');
  expect(rejected({ kind: 'response' })).toThrow('the fault "response" needs response, such as { "status": 500 }');
  const { body } = await ask(mock, '/me', { headers: { 'x-mock-fault': '{"response": {"status": 500,}}' } });
  expect(body.error).toMatch(/a fault: it is not JSON: column \d+ has }; remove the comma/);
});

test('a status below 400 is not an error [U-43]', () => {
  for (const kind of ['200', 304]) {
    expect(() => checkFault({ kind })).toThrow('the status of an error must be a whole number from 400 to 599');
  }
});

test('a fault that can never match is rejected [U-43]', () => {
  const rejected = (rule: object) => () => mock.faults.add({ kind: 'html', ...rule });
  expect(rejected({ path: '/orders' })).toThrow('no "path"');
  expect(rejected({ operation: 'orders' })).toThrow(
    'operation of a fault must be one of me, list, order, not "orders"',
  );
  expect(rejected({ method: 'get' })).toThrow('method of a fault must be one of GET, HEAD, POST');
  expect(rejected({ page: 0 })).toThrow('page of a fault must be a whole number of at least 1');
  expect(rejected({ operation: 'me', page: 1 })).toThrow(
    '"page" of a fault is valid only for the operation "list", not for "me"',
  );
  expect(rejected({ operation: 'list', id: 1 })).toThrow(
    '"id" of a fault is valid only for the operation "order", not for "list"',
  );
  for (const key of ['', 5, null]) expect(rejected({ key })).toThrow('key of a fault must be the name of a key');
  expect(rejected({ key: 'busines' })).toThrow(
    'there is no key named "busines"; the keys are business, businessSecond',
  );
  expect(mock.faults.list()).toEqual([]);
  expect(parseFault('html;key=123')).toEqual({ kind: 'html', key: '123' });
});

test('rejects options that a fault does not use [U-43]', () => {
  const rejected = (rule: object) => () => mock.faults.add(rule);
  expect(rejected({ kind: '500', ms: 100 })).toThrow(
    'the fault "status" has no option ms; remove it, or add a second fault "delay"',
  );
  expect(rejected({ kind: 'cutJson', status: 503 })).toThrow('the fault "cutJson" has no option status; remove it');
  expect(rejected({ response: { status: 503 }, status: 500 })).toThrow('the fault "response" has no option status');
  expect(rejected({ response: { headers: { a: '1' } }, headers: { b: '1' } })).toThrow(
    'headers of a fault are given twice',
  );
  for (const kind of ['hang', 'delay', 'truncate']) {
    expect(rejected({ kind, status: 500 })).toThrow(`the fault "${kind}" has no option status`);
    expect(() => parseFault(`${kind};status=500`)).toThrow(`the fault "${kind}" has no option status`);
  }
  mock.faults.add({ kind: 'drip', ms: '1..2', retryAfter: 1, headers: { a: '1' } });
  expect(mock.faults.list()).toHaveLength(1);
});

test('a request can have a delay and another fault in several x-mock-fault headers [U-43]', () => {
  const own = createInnerMock({ limit: 'off' });
  const send = (...faults: string[]) => {
    const rawHeaders = [
      'Authorization',
      `Bearer ${own.keys.business}`,
      ...faults.flatMap((one) => ['X-Mock-Fault', one]),
    ];
    const { response, delayMs } = own.answer({ method: 'GET', target: '/api/v1/me', rawHeaders, secure: false });
    return [response.status, delayMs, response.status === 400 && JSON.parse(response.body as string).error];
  };
  expect(send('delay;ms=50', '503')).toEqual([503, 50, false]);
  expect(send('{"response": {"status": 503, "headers": {"a": "1"}}}', 'delay;ms=50')).toEqual([503, 50, false]);
  // `Headers.append` joins the values.
  expect(send('503, delay;ms=50')).toEqual([503, 50, false]);
  expect(send('503', 'html')).toEqual([400, 0, expect.stringMatching(/^.*x-mock-fault: .*"status" and "html"/)]);
});

test('rejects an x-mock-fault with fields that select requests [U-43]', async () => {
  const named = ['operation=me', 'page=1', 'id=1', 'method=GET', 'key=business'];
  for (const chooser of ['times=always', 'times=2', 'skip=1', ...named]) {
    const { status, body } = await ask(mock, '/me', { headers: { 'x-mock-fault': `500;${chooser}` } });
    const name = chooser.split('=')[0];
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(`x-mock-fault: (${name}|operation) selects requests`),
    ]);
  }
});

test('a status given as the kind must be in range, and cannot be combined with a status field', () => {
  expect(checkFault({ kind: '429', retryAfter: 5 })).toEqual({ kind: 'status', status: 429, retryAfter: 5 });
  expect(() => checkFault({ kind: '199' })).toThrow('status of a fault must be a whole number from 200 to 599');
  expect(() => checkFault({ kind: '500', status: 503 })).toThrow('status of a fault is given twice');
});

test('every accepted fault produces a valid response [U-43]', () => {
  const own = createInnerMock({ limit: 'off' });
  const rawHeaders = ['Authorization', `Bearer ${own.keys.business}`];
  const odd = fc.oneof(fc.string({ unit: 'binary', maxLength: 5 }), fc.integer(), fc.constantFrom(null, 1e300, [], {}));
  const kind = fc.constantFrom(...Object.keys(faultKinds));
  const rules = fc.oneof(
    fc.record({ kind, status: fc.oneof(fc.integer({ min: 200, max: 599 }), odd) }),
    fc.record({ kind, ms: fc.oneof(fc.constantFrom(0, '1..2'), odd) }),
    fc.record({ kind, operation: fc.oneof(fc.constant('me'), odd) }),
    fc.record({ kind, retryAfter: fc.oneof(fc.nat(), odd) }),
    fc.record({ kind, headers: fc.oneof(fc.dictionary(fc.string(), fc.string()), odd) }),
    fc.record({ response: fc.record({ status: fc.integer({ min: 200, max: 599 }), body: odd }) }),
    fc.record({ response: fc.dictionary(fc.constantFrom('status', 'headers', 'body', 'delayMs'), odd) }),
  );
  let applied = 0;
  fc.assert(
    fc.property(rules, (rule) => {
      own.faults.clear();
      try {
        own.faults.add(rule as FaultInput);
      } catch {
        return;
      }
      const { response } = own.answer({ method: 'GET', target: '/api/v1/me', rawHeaders, secure: false });
      for (const [name, value] of Object.entries(response.headers)) validateHeaderValue(name, value);
      expect(['string', 'object']).toContain(typeof response.body);
      applied += own.journal.entries().filter(({ fault }) => fault !== undefined).length;
    }),
    { numRuns: 500 },
  );
  expect(applied).toBeGreaterThan(50);
});
