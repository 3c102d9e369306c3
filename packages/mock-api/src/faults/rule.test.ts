import { expect, test } from 'vitest';
import { createInnerMock } from '../mock.ts';
import { send } from '../test-client.fixture.ts';
import { checkFault, type FaultInput, parseFault } from './rule.ts';

/** Adds a fault to a new mock, and returns the list of faults. */
const added = (rule: FaultInput | string) => {
  const { faults } = createInnerMock();
  faults.add(rule);
  return faults.list();
};

test('the kind of a fault can be an HTTP status, as a number or as text', () => {
  for (const kind of [429, '429'] as const)
    expect(checkFault({ kind, retryAfter: 5 })).toEqual({ kind: 'status', status: 429, retryAfter: 5 });
});

test.each<[rule: object | string, sentence: string | RegExp]>([
  ['explode', /no fault "explode"; use one of status, html/],
  ['html;503', 'be written like html;status=503'],
  [{ kind: 600 }, 'status of a fault must be a whole number from 200 to 599'],
  [{ kind: '199' }, 'status of a fault must be a whole number from 200 to 599'],
  [{ kind: '200' }, 'the status of an error must be a whole number from 400 to 599'],
  [{ kind: 304 }, 'the status of an error must be a whole number from 400 to 599'],
  [{ kind: '500', status: 503 }, 'status of a fault is given twice'],
  ['delay;ms=soon', /ms of a fault must be a number such as 1000, or a range/],
  ...[86_400_001, 1e12, '1..86400001', 'lognormal:120:0.5'].map((ms): [object, RegExp] => {
    return [{ kind: 'delay', ms }, /of at most 86400000 ms \(one day\), not/];
  }),
  ...[0, -1, 1.5, 'never', null].map((times): [object, string] => {
    return [{ kind: 'html', times }, 'times of a fault must be a whole number from 1 to'];
  }),
  // what can never match
  [{ kind: 'html', path: '/orders' }, 'no "path"'],
  [{ kind: 'html', operation: 'orders' }, 'operation of a fault must be one of me, list, order, not "orders"'],
  [{ kind: 'html', method: 'get' }, 'method of a fault must be one of GET, HEAD, POST'],
  [{ kind: 'html', page: 0 }, 'page of a fault must be a whole number of at least 1'],
  [
    { kind: 'html', operation: 'me', page: 1 },
    '"page" of a fault is valid only for the operation "list", not for "me"',
  ],
  [
    { kind: 'html', operation: 'list', id: 1 },
    '"id" of a fault is valid only for the operation "order", not for "list"',
  ],
  [{ kind: 'html', key: 'busines' }, 'there is no key named "busines"; the keys are business, businessSecond'],
  ...['', 5, null].map((key): [object, string] => [{ kind: 'html', key }, 'key of a fault must be the name of a key']),
  // what a fault does not use
  [{ kind: '500', ms: 1 }, 'the fault "status" has no option ms; remove it, or add a second fault "delay"'],
  [{ kind: 'cutJson', status: 503 }, 'the fault "cutJson" has no option status; remove it'],
  [{ response: { status: 503 }, status: 500 }, 'the fault "response" has no option status'],
  ...['hang', 'delay', 'truncate'].map((kind): [string, string] => {
    return [`${kind};status=500`, `the fault "${kind}" has no option status`];
  }),
  ...['delay', 'hang', 'resetBefore', 'emptyReply', 'garbage'].map((kind): [object, string] => {
    return [{ kind, headers: { a: '1' } }, 'has no option headers'];
  }),
  // responses
  [{ response: { status: 199 } }, 'status of response of a fault must be a whole number from 200'],
  [{ response: { statuss: 500 } }, 'response of a fault has no "statuss"; use one of status, headers'],
  [{ response: { delayMs: 'soon' } }, /^delayMs of response of a fault must be a number/],
  [{ response: { headers: { location: 'http://x\r\ny' } } }, 'location must be a string of printable'],
  [{ kind: 'html', response: {} }, 'a fault has response or the kind "html", not both'],
  [{ kind: 'response' }, 'the fault "response" needs response, such as { "status": 500 }'],
  ['{"response": {"status": 500,}}', /a fault: it is not JSON: column \d+ has }; remove the comma/],
  // headers
  [{ kind: '503', retryAfter: -1 }, 'retryAfter of a fault must be a whole number from 0 to'],
  [{ kind: '503', retryAfter: '5' }, 'retryAfter of a fault must be a whole number from 0 to'],
  [{ kind: '503', headers: 'x: 1' }, 'headers of a fault must be an object such as'],
  [{ kind: '503', headers: { 'a b': '1' } }, '"a b" is not a header name'],
  [{ kind: '503', headers: { a: 'x\r\ny: 1' } }, 'a must be a string of printable ASCII'],
  [{ kind: '503', headers: { a: 1 } }, 'a must be a string of printable ASCII'],
  [{ kind: '503', headers: { a: '1', A: '2' } }, 'a is given twice'],
  [{ kind: '503', headers: { 'Content-Length': '1' } }, 'content-length determines how the response is sent'],
  [{ kind: '503', retryAfter: 1, headers: { 'Retry-After': '2' } }, 'Retry-After of a fault is given twice'],
  [{ response: { headers: { 'retry-after': '5' } }, retryAfter: 9 }, 'Retry-After of a fault is given twice'],
  [{ response: { headers: { a: '1' } }, headers: { b: '1' } }, 'headers of a fault are given twice'],
])('rejects the fault %j [U-43]', (rule, sentence) => {
  expect(() => added(rule as FaultInput)).toThrow(sentence);
});

test('accepts a delay of a day, a key of digits, and every option that a fault uses [U-43]', () => {
  expect(added({ kind: 'delay', ms: 86_400_000 })).toMatchObject([{ ms: 86_400_000 }]);
  expect(parseFault('html;key=123')).toEqual({ kind: 'html', key: '123' });
  expect(added({ kind: 'drip', ms: '1..2', retryAfter: 1, headers: { a: '1' } })).toHaveLength(1);
  expect(() => createInnerMock({ latency: 1e12 })).toThrow(/^latency must be .* of at most 86400000 ms \(one day\)/);
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
  expect(send('503', 'html')).toEqual([400, 0, expect.stringMatching(/^.*x-mock-fault: .*"status" and "html"/)]);
});

test.each([
  ['503, delay;ms=50', 503],
  ['{"response":{"status":502}}, delay;ms=50', 502],
  ['delay;ms=50, {"kind":"503","headers":{"a":"b, {\\"c"}}', 503],
  ['{"response":{"status":502,"body":[{},{}]}},delay;ms=50', 502],
])(
  'several x-mock-fault headers that the client has joined into one are read as several: %s [U-43]',
  (header, status) => {
    const own = createInnerMock({ limit: 'off' });
    expect(send(own, '/me', { headers: { 'x-mock-fault': header } })).toMatchObject({ status, delayMs: 50 });
  },
);

const selecting = ['times=always', 'times=2', 'skip=1', 'operation=me', 'page=1', 'id=1', 'method=GET', 'key=business'];
test.each<[fault: string, sentence: RegExp]>([
  ['explode', /there is no fault .*explode/],
  ...selecting.map((field): [string, RegExp] => {
    return [`500;${field}`, new RegExp(`x-mock-fault: (${field.split('=')[0]}|operation) selects requests`)];
  }),
])('rejects the x-mock-fault %s [U-43]', (fault, sentence) => {
  const { status, body } = send(createInnerMock(), '/me', { headers: { 'x-mock-fault': fault } });
  expect([status, body.error]).toEqual([400, expect.stringMatching(sentence)]);
});
