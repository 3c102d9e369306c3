import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createInnerMock } from './mock.ts';
import { statuses } from './orders/statuses.ts';
import { type Ask, type Json, send } from './test-client.fixture.ts';

const description: Json = parse(readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8'));
// ajv's strict mode rejects the if/then of Order, whose branches use properties declared outside them.
const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(description, 'openapi', false, false);

/** The description of what the mock sends by default: objects with exactly the described fields. */
const closed = structuredClone(description);
for (const schema of Object.values<Json>(closed.components.schemas)) {
  if (!schema.properties) continue;
  schema.required = Object.keys(schema.properties);
  schema.additionalProperties = false;
}
ajv.addSchema(closed, 'closed', false, false);

const paths = ['/me', '/orders', '/orders/{id}'];

const check = (pointer: string, schemas = 'openapi'): ValidateFunction => {
  const $ref = encodeURI(schemas + pointer);
  return ajv.getSchema($ref) ?? ajv.compile({ $ref });
};

/** Returns the differences between a body and the description for a path and status. */
const deviations = (path: string, status: number, body: Json, schemas?: string): string[] => {
  const response = description.paths[path].get.responses[status];
  const pointer = response.$ref ?? `#/paths/${path.replaceAll('/', '~1')}/get/responses/${status}`;
  const valid = check(`${pointer}/content/application~1json/schema`, schemas);
  if (valid(body)) return [];
  return (valid.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
};

const mock = createInnerMock({ limit: 'off' });
const goodKeys = [mock.keys.business, mock.keys.otherAccount, mock.keys.companyOnly];

/** Sends a request and checks that the response has exactly the described fields. */
const sendAndCheck = (path: string, options?: Ask): { status: number; body: Json } => {
  const { status, headers, body } = send(mock, path, options);
  const bare = path.replace(/\?.*/, '').replace(/^\/orders\/.*/, '/orders/{id}');
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(deviations(bare, status, body, 'closed'), path).toEqual([]);
  return { status, body };
};

const page: Json = send(mock, '/orders?per_page=50').body;
const paid: Json = send(mock, `/orders/${mock.samples.allCodeTypes.id}`).body;
const pending: Json = send(mock, `/orders/${mock.samples.pending.id}`).body;

test('the description has three paths with only GET [S-01]', () => {
  expect(Object.keys(description.paths)).toEqual(paths);
  for (const path of paths) expect(Object.keys(description.paths[path])).toEqual(['get']);
});

test('/me of every business account matches the description [S-15 S-16 S-86]', () => {
  for (const key of goodKeys) {
    const { status, body } = sendAndCheck('/me', { key });
    expect([status, body.data.api_version]).toEqual([200, '1.0']);
  }
});

test('every page and every order has exactly the described fields, each of its type [S-01 S-09 S-11 S-13 S-17 S-19 S-20 S-21 S-22 S-23 S-24 S-25 S-26 S-28 S-29 S-30 S-31 S-32 S-37 S-39 S-50 S-88]', () => {
  for (const key of goodKeys) {
    const seen = new Set<number>();
    let total = 0;
    for (let number = 1, pages = 1; number <= pages; number++) {
      const { body } = sendAndCheck(`/orders?page=${number}`, { key });
      ({ pages, total } = body.data.pagination);
      for (const { id } of body.data.orders) {
        expect(sendAndCheck(`/orders/${id}`, { key }).status).toBe(200);
        seen.add(id);
      }
    }
    expect(total).toBeGreaterThan(0);
    expect(seen.size).toBe(total);
  }
});

test('filtered pages, pages of 1 and 50 orders and a page after the last match the description [S-25 S-33 U-05]', () => {
  for (const query of [...statuses.map((state) => `status=${state}`), 'per_page=1', 'per_page=50', 'page=9999'])
    expect(sendAndCheck(`/orders?${query}`).status, query).toBe(200);
});

test('every error has exactly the described fields on every path [S-10 S-12 S-13 S-67 S-68 S-69 S-75 S-76 S-77]', () => {
  const { keys } = mock;
  const id = page.data.orders[0].id;
  for (const path of ['/me', '/orders', `/orders/${id}`]) {
    for (const key of [null, 'unknown', keys.revoked, keys.inactive])
      expect(sendAndCheck(path, { key }).status).toBe(401);
    expect(sendAndCheck(path, { key: keys.private }).status).toBe(403);
    for (const status of [429, 500])
      expect(sendAndCheck(path, { headers: { 'x-mock-fault': String(status) } }).status).toBe(status);
  }
  expect(sendAndCheck('/orders/1').status).toBe(404);
  expect(sendAndCheck(`/orders/${id}`, { key: keys.otherAccount }).status).toBe(404);
  expect(sendAndCheck('/orders/abc').status).toBe(400);
});

test('the mock accepts exactly the parameters that the description allows [S-48 S-72]', () => {
  const values = {
    page: ['1', '2', '9999', '0', '-1', '1.5', 'abc', ''],
    per_page: ['1', '20', '50', '0', '51', '1000', '-1', '2.5', 'abc', ''],
    status: [...statuses, 'paid', 'Bezahlt', 'bezahlt,storniert', ''],
  };
  const parameters: Json[] = description.paths['/orders'].get.parameters;
  expect(parameters.map(({ name }) => name)).toEqual(Object.keys(values));
  for (const [index, [name, texts]] of Object.entries(values).entries()) {
    const allowed = check(`#/paths/~1orders/get/parameters/${index}/schema`);
    for (const text of texts) {
      const value = name === 'status' || text === '' ? text : Number(text);
      const { status } = sendAndCheck(`/orders?${name}=${encodeURIComponent(text)}`);
      expect(status, `${name}=${text}`).toBe(allowed(value) ? 200 : 400);
    }
  }
});

test('the description and the mock have the same defaults [S-46 S-47]', () => {
  const [pageParameter, perPageParameter] = description.paths['/orders'].get.parameters;
  const { page: number, per_page } = send(mock, '/orders').body.data.pagination;
  expect([pageParameter.schema.default, perPageParameter.schema.default]).toEqual([number, per_page]);
});

test('schema examples match their schemas', () => {
  let examples = 0;
  for (const [name, { examples: values = [] }] of Object.entries<Json>(description.components.schemas)) {
    const valid = check(`#/components/schemas/${name}`);
    for (const value of values) expect(valid(value), name).toBe(true);
    examples += values.length;
  }
  expect(examples).toBeGreaterThan(3);
});

/** The examples of each operation and status. An example's summary is the request, and its value is the response. */
const examples = paths.flatMap((path) =>
  Object.entries<Json>(description.paths[path].get.responses).flatMap(([status, response]) => {
    const name = response.$ref?.split('/').at(-1);
    const { examples: named = {} } = (name ? description.components.responses[name] : response).content[
      'application/json'
    ];
    const all = Object.entries<Json>(named).map(([example, { summary, value }]) => ({ example, summary, value }));
    return all.length > 0
      ? all.map((one) => ({ path, status, ...one }))
      : [{ path, status, example: 'NONE', summary: '', value: undefined }];
  }),
);

test.each(examples)(
  'the example $example of $path $status matches the schema and the mock [S-09 S-10]',
  ({ path, status, summary, value }) => {
    expect(deviations(path, Number(status), value)).toEqual([]);
    const [, target = '', how = ''] = /^GET (\S+)(.*)$/.exec(summary) ?? [];
    const own = createInnerMock({ frozenAt: 0 });
    const asks: Record<string, Ask> = {
      ' with a revoked key': { key: own.keys.revoked },
      ' without a key': { key: null },
      ' with the key of a private account': { key: own.keys.private },
      ' when the server fails': { headers: { 'x-mock-fault': '500' } },
    };
    if (how === ' for the 61st time') for (let n = 0; n < 60; n++) send(own, target);
    const answer = send(own, target, asks[how]);
    expect([answer.status, answer.body]).toEqual([Number(status), value]);
  },
);

test("the description's example of another account's order exists in that account", () => {
  const [, id] = /orders\/(\d+) of another/.exec(JSON.stringify(description)) ?? [];
  expect(Number(id)).toBe(mock.samples.ofOtherAccount.id);
});

/** Returns a copy of the body, changed at one path; `undefined` removes the field. */
const altered = (body: Json, place: string, value: unknown): Json => {
  const copy = structuredClone(body);
  const names = place.split('.');
  const last = names.pop() as string;
  const parent = names.reduce((at, name) => at[name], copy);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
};

const order = 'data.orders.0';
const item = 'data.items.0';
const code = 'data.items.0.license_codes.0';

const bodies = {
  list: { path: '/orders', status: 200, body: page },
  detail: { path: '/orders/{id}', status: 200, body: paid },
  '401': { path: '/me', status: 401, body: { status: 401, error: 'x' } },
};

test.each<[schema: keyof typeof bodies, title: string, place: string, value: unknown]>([
  ['list', 'null data [S-09]', 'data', null],
  ['list', 'data that is an array [S-09]', 'data', []],
  ['list', 'no data [S-09]', 'data', undefined],
  ['list', 'a payload next to data [S-11]', 'orders', []],
  ['list', 'status 201 in the body [S-13]', 'status', 201],
  ['list', 'status as a string [S-13]', 'status', '200'],
  ['list', 'an order number as a number [S-17]', `${order}.bestellnummer`, 42],
  ['list', 'an unknown state [S-19]', `${order}.status`, 'offen'],
  ['list', 'money as a number [S-20]', `${order}.gesamtpreis_brutto`, 119],
  ['list', 'money with one digit [S-20]', `${order}.gesamtpreis_brutto`, '119.0'],
  ['list', 'money with a comma [S-20]', `${order}.gesamtpreis_brutto`, '119,00'],
  ['list', 'a currency sign [S-21]', `${order}.waehrung`, '€'],
  ['list', 'an ISO 8601 time [S-22]', `${order}.created_at`, '2026-03-29T02:30:00Z'],
  ['list', 'a 13th month [S-22]', `${order}.created_at`, '2026-13-01 00:00:00'],
  ['list', 'no lieferstatus [S-23]', `${order}.lieferstatus`, undefined],
  ['list', 'null zahlungsstatus [S-24]', `${order}.zahlungsstatus`, null],
  ['list', 'no pages [S-25]', 'data.pagination.pages', undefined],
  ['list', '51 orders a page [S-48]', 'data.pagination.per_page', 51],
  ['detail', 'an empty detail [S-26]', 'data', {}],
  ['detail', 'a billing address as a string [S-26]', 'data.billing_address', 'Berlin'],
  ['detail', 'a quantity as a string [S-28]', `${item}.menge`, '1'],
  ['detail', 'an unknown code type [S-30]', `${code}.code_typ`, 'oem'],
  ['detail', 'no download_url_32 [S-31]', `${code}.download_url_32`, undefined],
  ['detail', 'null activations [S-32]', `${code}.aktivierungen_bestellung`, null],
  ['detail', 'a pending order with codes [S-37]', 'data.status', 'ausstehend'],
  ['detail', 'a cancelled order with codes [S-37]', 'data.status', 'storniert'],
  ['detail', 'a paid order without license_codes [S-58]', `${item}.license_codes`, undefined],
  ['detail', 'a paid order with null license_codes [S-58]', `${item}.license_codes`, null],
  ['401', 'an empty error text [S-10]', 'error', ''],
  ['401', 'an error that is an object [S-10]', 'error', { message: 'x' }],
  ['401', 'another body status [S-13]', 'status', 403],
])('the %s schema rejects %s', (schema, _, place, value) => {
  const { path, status, body } = bodies[schema];
  expect(deviations(path, status, body)).toEqual([]);
  expect(deviations(path, status, altered(body, place, value))).not.toEqual([]);
});

test.each<[title: string, place: string, value: unknown]>([
  ['no license_codes [U-12]', `${item}.license_codes`, undefined],
  ['null license_codes [U-12]', `${item}.license_codes`, null],
  ['no items [U-15]', 'data.items', []],
  ['another field [U-16]', 'data.rechnungsnummer', 'R-1'],
  ['any fields of an address [U-17]', 'data.billing_address', { land: null }],
])('the detail schema of a pending order allows %s', (_, place, value) => {
  expect(deviations('/orders/{id}', 200, altered(pending, place, value))).toEqual([]);
});
