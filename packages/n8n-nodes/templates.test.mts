import { globSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { listen } from '@order-license/mock-api';
import { type IDataObject, type INode, type INodeParameters, type INodeType, NodeHelpers } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { OrderLicense } from './nodes/OrderLicense/OrderLicense.node';
import { run } from './nodes/OrderLicense/run-node.fixture';
import { OrderLicenseTrigger } from './nodes/OrderLicenseTrigger/OrderLicenseTrigger.node';

interface Template {
  name: string;
  nodes: (INode & { parameters: IDataObject })[];
  connections: Record<string, { main: { node: string; type: string; index: number }[][] }>;
  settings: IDataObject;
}

const folder = `${import.meta.dirname}/../../examples/n8n`;
const files = globSync('*.json', { cwd: folder }).sort();
const load = (file: string): Template => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));

const pack: Record<string, INodeType> = {
  'n8n-nodes-order-license.orderLicense': new OrderLicense(),
  'n8n-nodes-order-license.orderLicenseTrigger': new OrderLicenseTrigger(),
};

const parameter = (template: Template, node: string): IDataObject =>
  template.nodes.find(({ name }) => name === node)?.parameters ?? {};

/** Runs a Code node over items. */
const runCode = (template: Template, node: string, items: IDataObject[], others: Record<string, IDataObject> = {}) => {
  const code = parameter(template, node).jsCode as string;
  const $input = { all: () => items.map((json) => ({ json })) };
  const $ = (name: string) => ({ first: () => ({ json: others[name] }) });
  const results = runInNewContext(`(() => { ${code} })()`, { $input, $ }) as { json: IDataObject }[];
  return JSON.parse(JSON.stringify(results.map(({ json }) => json))) as IDataObject[];
};

test('S-14 there is one template for each of the four uses', () => {
  expect(files).toEqual(['accounting-export.json', 'audit-report.json', 'erp-sync.json', 'license-distribution.json']);
});

test.each(files)('S-14 %s fits together: names are unique, connections lead somewhere, a note explains it', (file) => {
  const { nodes, connections } = load(file);
  const names = nodes.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(nodes.map(({ id }) => id)).size).toBe(names.length);
  const targets = Object.values(connections).flatMap(({ main }) => main.flat().map(({ node }) => node));
  expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...targets]));
  const idle = nodes.filter(({ name, type }) => !targets.includes(name) && !/Trigger$|stickyNote$/.test(type));
  expect(idle).toEqual([]);
  expect(nodes.some(({ type }) => type === 'n8n-nodes-base.stickyNote')).toBe(true);
});

test.each(files)('S-14 %s uses nodes and parameters that this pack has', (file) => {
  const used = load(file).nodes.filter(({ type }) => !type.startsWith('n8n-nodes-base.'));
  expect(used.length).toBeGreaterThan(0);
  for (const node of used) {
    const { description } = pack[node.type] as INodeType;
    const { pollTimes: _, ...given } = node.parameters as INodeParameters;
    expect(node.typeVersion).toBe(description.version);
    expect(Object.keys(node.credentials ?? {})).toEqual(['orderLicenseApi']);
    const all = NodeHelpers.getNodeParameters(description.properties, given, true, false, node, description);
    expect(all).toMatchObject(given);
    expect(NodeHelpers.getNodeParametersIssues(description.properties, node, description)).toBeNull();
    expect(Object.keys(given).filter((name) => !(name in (all ?? {})))).toEqual([]);
    for (const property of description.properties) {
      if (!property.type.toLowerCase().endsWith('options')) continue;
      if (!NodeHelpers.displayParameter(all ?? {}, property, node, description)) continue;
      const allowed = property.options?.map((option) => 'value' in option && option.value);
      for (const value of [all?.[property.name]].flat()) expect(allowed).toContain(value);
    }
  }
});

test.each(files)('S-14 expressions of %s name nodes that are there', (file) => {
  const { nodes } = load(file);
  const names = new Set(nodes.map(({ name }) => name));
  const named = [...JSON.stringify(nodes).matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name);
  expect(named.filter((name) => !names.has(name ?? ''))).toEqual([]);
});

test('S-14 S-20 the accounting export adds up whole cents, per currency and status, beyond what a float can hold', async () => {
  const service = await listen({ limit: 'off' });
  const orders = (await run(service, 'listOrders', { returnAll: true })).map(({ json }) => json);
  await service.close();
  const template = load('accounting-export.json');
  const month = { from: '2000-01-01T00:00:00Z', to: '2999-01-01T00:00:00Z' };
  const rows = runCode(template, 'Rows', orders, { 'Last Month': month });
  expect(rows).toHaveLength(orders.length);
  const totals = runCode(template, 'Totals per Currency', rows);
  const exact = new Map<string, bigint>();
  for (const { currency, status, grossTotal } of orders) {
    const group = `${currency} ${status}`;
    exact.set(group, (exact.get(group) ?? 0n) + BigInt((grossTotal as string).replace('.', '')));
  }
  expect(totals).toHaveLength(exact.size);
  for (const { currency, status, grossTotal } of totals) {
    expect((grossTotal as string).replace(/^(-?)0*(\d*)\.(\d\d)$/, '$1$2$3')).toBe(
      String(exact.get(`${currency} ${status}`)),
    );
  }
  expect(totals.some(({ grossTotal }) => (grossTotal as string).length > 16)).toBe(true);
});

test('S-14 totals keep sign and leading zeros, and refuse what is no amount', () => {
  const template = load('accounting-export.json');
  const total = (...amounts: (string | null)[]) =>
    runCode(
      template,
      'Totals per Currency',
      amounts.map((grossTotal) => ({ currency: 'EUR', status: 'bezahlt', grossTotal })),
    );
  expect(total('0.10', '0.20')).toEqual([{ currency: 'EUR', status: 'bezahlt', orders: 2, grossTotal: '0.30' }]);
  expect(total('-0.05')[0]?.grossTotal).toBe('-0.05');
  expect(total('0.00')[0]?.grossTotal).toBe('0.00');
  expect(() => total('119')).toThrow('is not an amount');
  expect(() => total(null)).toThrow('is not an amount');
});

test('S-14 U-54 totals keep each status and currency whole, whatever they are', () => {
  const row = { grossTotal: '1.10', currency: 'EUR', status: 'teilweise bezahlt' };
  const rows = [row, { ...row, status: 'teilweise geliefert' }, row, { ...row, currency: null }];
  expect(runCode(load('accounting-export.json'), 'Totals per Currency', rows)).toEqual([
    { ...row, orders: 2, grossTotal: '2.20' },
    { ...row, status: 'teilweise geliefert', orders: 1 },
    { ...row, currency: null, orders: 1 },
  ]);
});

test('S-14 the month ends where the next one starts', () => {
  const month = { from: '2030-02-01T00:00:00.000Z', to: '2030-03-01T00:00:00.000Z' };
  const createdAt = ['2030-02-28T23:59:59.000Z', '2030-03-01T00:00:00.000Z', null];
  const rows = runCode(
    load('accounting-export.json'),
    'Rows',
    createdAt.map((at, orderNumber) => ({ orderNumber, createdAt: at })),
    { 'Last Month': month },
  );
  expect(rows.map(({ orderNumber }) => orderNumber)).toEqual([0]);
});

test('S-14 the audit report holds no license key, only its end', async () => {
  const service = await listen({ limit: 'off', licenseKeyPrefix: 'CANARY-' });
  const codes = (await run(service, 'listOrders', { limit: 10, output: 'licenseCodes' })).map(({ json }) => json);
  await service.close();
  const rows = runCode(load('audit-report.json'), 'Rows', codes, { Account: { company: 'X', vat_id: null } });
  expect(rows.length).toBe(codes.length);
  expect(JSON.stringify(codes)).toContain('CANARY-');
  expect(JSON.stringify(rows)).not.toContain('CANARY-');
  expect(rows[0]).toMatchObject({
    company: 'X',
    vatId: '',
    maskedKey: `****${String(codes[0]?.licenseKey).slice(-4)}`,
  });
});

test('S-14 U-51 the audit report shows nothing of a short key or of a user with password', () => {
  const codes = [
    'AAAA-BBBB-CCCC-DDDD',
    'AAAA-BBBB',
    'user@example.com:password',
    'user password-of-user',
    '=1+2+3+4+5+6+7+8',
  ];
  const rows = runCode(
    load('audit-report.json'),
    'Rows',
    codes.map((licenseKey) => ({ licenseKey })),
    { Account: {} },
  );
  expect(rows.map(({ maskedKey }) => maskedKey)).toEqual(['****DDDD', '****', '****', '****', '****+7+8']);
});

test('S-14 U-51 the audit report shows nothing of an account, however its password is set off, and bears a code without a key', () => {
  const codes = [
    { codeType: 'account', licenseKey: 'max.muster@example.com/Geheim12' },
    { codeType: 'account', licenseKey: 'max.muster@example.com|Geheim12' },
    { codeType: 'account', licenseKey: 'max.muster@example.com;Geheim12' },
    { codeType: 'retail', licenseKey: null },
    { codeType: 'retail' },
    { codeType: 'retail', licenseKey: 1234567890123456 },
    { codeType: 'retail', licenseKey: 'AAAA-BBBB-CCCC-DDDD' },
  ];
  const rows = runCode(load('audit-report.json'), 'Rows', codes, { Account: {} });
  expect(rows.map(({ maskedKey }) => maskedKey)).toEqual(['****', '****', '****', '', '', '****', '****DDDD']);
});

test('the audit report has a row for an order that could not be read, with the problem [S-14]', () => {
  const { nodes } = load('audit-report.json');
  expect(nodes.find(({ name }) => name === 'License Codes')?.onError).toBe('continueRegularOutput');
  const failed = { error: 'Order B-7 (ID 7): The service could not answer', details: { orderNumber: 'B-7' } };
  const rows = runCode(load('audit-report.json'), 'Rows', [{ orderNumber: 'B-8' }, failed], { Account: {} });
  expect(rows).toMatchObject([
    { orderNumber: 'B-8', problem: '' },
    { orderNumber: 'B-7', maskedKey: '', problem: failed.error },
  ]);
});

test('S-14 what goes to the ERP holds no license key', () => {
  const template = load('erp-sync.json');
  const body = String(parameter(template, 'Send to ERP').jsonBody).replace(/^=\{\{|\}\}$/g, '');
  const $json = { orderNumber: 'B-1', positions: [{ productName: 'P', licenseCodes: [{ licenseKey: 'CANARY' }] }] };
  const sent = runInNewContext(body, { $json, JSON }) as string;
  expect(JSON.parse(sent)).toMatchObject({ orderNumber: 'B-1', positions: [{ productName: 'P' }] });
  expect(sent).not.toContain('CANARY');
});

test('S-14 all codes are in the books before the first is sent; each is marked before its mail, and confirmed after', () => {
  const { nodes, connections } = load('license-distribution.json');
  const after = (name: string, output = 0) => connections[name]?.main[output]?.map(({ node }) => node);
  expect(after('Not in the Books')).toEqual(['Enter as Waiting']);
  expect(after('Enter as Waiting')).toEqual(['One by One']);
  expect(after('One by One', 1)).toEqual(['Mark as Sending']);
  expect(after('Mark as Sending')).toEqual(['Send the Code']);
  expect(after('Send the Code')).toEqual(['Mark as Sent']);
  expect(after('Send the Code', 1)).toEqual(['Mark as Failed']);
  const tables = nodes.filter(({ type }) => type === 'n8n-nodes-base.dataTable');
  expect(JSON.stringify(tables)).not.toContain('licenseKey');
});

test.each(['license-distribution.json', 'audit-report.json', 'erp-sync.json'])(
  'S-14 n8n keeps no successful runs of %s',
  (file) => {
    const { settings, nodes } = load(file);
    expect(settings).toMatchObject({ saveDataSuccessExecution: 'none' });
    const note = nodes.find(({ type }) => type === 'n8n-nodes-base.stickyNote');
    expect(note?.parameters.content).toContain('Save successful production executions');
  },
);
