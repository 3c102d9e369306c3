import { OrderLicenseError } from '@order-license/core/portable';
import { everythingOf, plantedKey, plantedLicense } from '@order-license/testing/canary';
import type { IDataObject } from 'n8n-workflow';
import { beforeEach, expect, test } from 'vitest';
import { protectError } from '../shared/license-keys';
import { serveEach, service } from '../shared/service.fixture';
import { OrderLicense } from './OrderLicense.node';
import { answering, orderBy, pageOf, prepare, type RunOptions, run, thrownBy } from './run-node.fixture';

let id: number;
serveEach({ limit: 'off', orders: 0, keys: { business: plantedKey }, licenseKeyPrefix: plantedLicense });
beforeEach(() => {
  id = service.state.insertOrder('business', { items: [{ menge: 2 }] }).id;
});

const outputs = [
  ['getOrder', 'orders'],
  ['getOrder', 'lineItems'],
  ['getOrder', 'licenseCodes'],
  ['listOrders', 'orders'],
  ['listOrders', 'lineItems'],
  ['listOrders', 'licenseCodes'],
] as const;
const forms = outputs.flatMap(([operation, output]) =>
  [true, false].map((simplify) => [operation, { output, simplify, includeDetails: true }] as const),
);

test.each(forms)(
  '%s with %j outputs keys in full, masked or not at all, as selected',
  async (operation, parameters) => {
    const read = async (licenseKeys: string) =>
      JSON.stringify(await run(service, operation, { ...orderBy('id', id), ...parameters, licenseKeys }));
    expect(await read('full')).toContain(plantedLicense);
    const masked = await read('masked');
    expect(masked).not.toContain(plantedLicense);
    expect(masked).toMatch(/"\*{4}\w{4}"/);
    const leftOut = await read('leftOut');
    expect(leftOut).not.toContain(plantedLicense);
    expect(leftOut).not.toMatch(/licenseKey|license_key|download/i);
    expect(leftOut).toContain('B-');
  },
);

test("masks keys if the node is an AI agent's tool, unless the user chooses otherwise", async () => {
  const read = async (options: RunOptions, parameters: IDataObject = {}) =>
    JSON.stringify(await run(service, 'getOrder', { ...orderBy('id', id), ...parameters }, options));
  expect(await read({})).toContain(plantedLicense);
  expect(await read({ asTool: true })).not.toContain(plantedLicense);
  expect(await read({ asTool: true }, { licenseKeys: 'full' })).toContain(plantedLicense);
});

test('masks keys in a tool even if n8n does not show the field License Keys there', async () => {
  const execution = prepare(service, 'getOrder', orderBy('id', id), { asTool: true });
  delete execution.context.getNode().parameters.licenseKeys;
  const [items] = await new OrderLicense().execute.call(execution.context);
  expect(JSON.stringify(items)).not.toContain(plantedLicense);
});

test.each(['none', 'Full', 7])('rejects the choice %j before anything is sent', async (given) => {
  const parameters = { ...orderBy('id', id), licenseKeys: given } as IDataObject;
  expect(await thrownBy(run(service, 'getOrder', parameters))).toMatchObject({
    message: "'License Keys' has an unknown value",
    description: 'Choose from full, leftOut, masked.',
  });
  expect(service.journal.total()).toBe(0);
});

const canary = 'CANARY-7Q2X9-LK4ZT-8M1PV';
const code = { id: 3, license_key: canary, code_typ: 'retail', aktivierungen_bestellung: 1 };
const lineItem = { id: 2, product_name: 'P', menge: 1, einzelpreis_brutto: '1.00', license_codes: [code] };
const order = { id: 1, bestellnummer: 'B-1', status: 'bezahlt', gesamtpreis_brutto: '1.00', waehrung: 'EUR' };

/** Fields that the node itself splits or renames. Core's tests cover all fields in which the API could repeat a key. */
const planted: [string, object][] = [
  ['a note', { ...order, items: [lineItem], notiz: `Ihr Key: ${canary}` }],
  ['the product name', { ...order, items: [{ ...lineItem, product_name: `P (${canary})` }] }],
  ['the status', { ...order, status: canary, items: [lineItem] }],
  ['the amount', { ...order, gesamtpreis_brutto: canary, items: [lineItem] }],
  [
    'a field name',
    { ...order, [canary]: true, items: [{ ...lineItem, [canary]: 1, license_codes: [{ [canary]: 1 }] }] },
  ],
  ['codes by key', { ...order, items: [{ ...lineItem, license_codes: { [canary]: { id: 1 } } }] }],
  ['codes outside line items', { ...order, items: [lineItem], license_codes: [canary], codes: { a: [canary] } }],
];

test.each(planted)(
  'if keys are masked or left out, no output or hint contains a key from %s [S-29 U-51]',
  async (_, data) => {
    for (const [operation, parameters] of forms.filter(
      ([name, { output }]) => name === 'getOrder' || output === 'orders',
    )) {
      for (const licenseKeys of ['masked', 'leftOut']) {
        const all = { ...orderBy('id', 1), ...parameters, licenseKeys };
        const { context, hints, logs } = prepare(
          service,
          operation,
          all,
          answering((url) => (/orders\/1$/.test(url) ? data : pageOf(data))),
        );
        const [items] = await new OrderLicense().execute.call(context);
        expect(JSON.stringify([items, hints, logs])).not.toContain('CANARY');
      }
    }
  },
);

test.each(['masked', 'leftOut'])("leaves out the API's error message if keys are %s", async (licenseKeys) => {
  service.faults.add(`404;id=${id};times=always`);
  service.set({ errorText: `The key ${plantedLicense}1 is taken` });
  for (const parameters of [orderBy('id', id), orderBy('id', 999)]) {
    const error = await thrownBy(run(service, 'getOrder', { ...parameters, licenseKeys }));
    expect(error.message).toContain('has no order with this ID');
    expect(everythingOf(error)).not.toContain(plantedLicense);
  }
  const items = await run(service, 'listOrders', { includeDetails: true, licenseKeys }, { continueOnFail: true });
  expect(items[0]?.json.error).toContain('has no order with this ID');
  expect(JSON.stringify(items)).not.toContain(plantedLicense);
});

test('an error contains no response text unless license keys are shown in full', () => {
  const errorOf = (): unknown =>
    new OrderLicenseError('invalid_response', { detail: 'No JSON', serverText: 'CANARY', received: 'server: CANARY' });
  expect(JSON.stringify(protectError(errorOf(), 'full'))).toContain('CANARY');
  for (const licenseKeys of ['masked', 'leftOut'] as const) {
    expect(JSON.stringify({ ...(protectError(errorOf(), licenseKeys) as object) })).not.toContain('CANARY');
  }
});
