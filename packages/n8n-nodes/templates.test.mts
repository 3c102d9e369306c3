import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { type IDataObject, type INode, type INodeParameters, type INodeType, NodeHelpers } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { OrderLicense } from './nodes/OrderLicense/OrderLicense.node';
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

test('each of the four use cases has a template, and license distribution also has a strict template [S-14]', () => {
  expect(files).toEqual([
    'accounting-export.json',
    'audit-report.json',
    'erp-sync.json',
    'license-distribution-strict.json',
    'license-distribution.json',
  ]);
});

test.each(files)(
  '%s is consistent: names are unique, connections and expressions name nodes, a note explains it [S-14]',
  (file) => {
    const { nodes, connections } = load(file);
    const names = nodes.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(names.length);
    const targets = Object.values(connections).flatMap(({ main }) => main.flat().map(({ node }) => node));
    expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...targets]));
    const idle = nodes.filter(({ name, type }) => !targets.includes(name) && !/Trigger$|stickyNote$/.test(type));
    expect(idle).toEqual([]);
    expect(nodes.some(({ type }) => type === 'n8n-nodes-base.stickyNote')).toBe(true);
    expect(nodes.some(({ type }) => type === 'n8n-nodes-base.code')).toBe(false);
    const named = [...JSON.stringify(nodes).matchAll(/\$\('([^']+)'\)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !names.includes(name))).toEqual([]);
  },
);

/** The value of an expression in a template. */
const evaluate = (expression: unknown, scope: object): unknown =>
  runInNewContext(String(expression).replace(/^=\{\{|\}\}$/g, ''), scope);

/** The expression with which a *Set* node fills in a field. */
const assigned = (file: string, node: string, field: string): unknown => {
  const { assignments } = parameter(load(file), node).assignments as { assignments: { name: string; value: string }[] };
  return assignments.find(({ name }) => name === field)?.value;
};

/** The left side of the first condition of a node. */
const condition = (template: Template, node: string): unknown =>
  (parameter(template, node).conditions as { conditions: { leftValue: string }[] }).conditions[0]?.leftValue;

test.each(files)('%s uses nodes and parameters of this pack [S-14]', (file) => {
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

const ordersIn = ({ nodes }: Template) => nodes.filter(({ type }) => type.startsWith('n8n-nodes-order-license.'));

const { DateTime } = createRequire(createRequire(import.meta.url).resolve('n8n-workflow'))('luxon');

/**
 * Returns the output of a template's *Dates* node for the user's fields, at the given time, in an n8n set to New York
 * time.
 */
const datesOf = (file: string, given: object, now = '2026-10-25T12:00:00Z'): unknown => {
  const $now = DateTime.fromISO(now, { zone: 'America/New_York' });
  return { ...(evaluate(parameter(load(file), 'Dates').jsonOutput, { $json: given, $now, DateTime }) as object) };
};

test.each([
  [
    'accounting-export',
    { month: '2026-03' },
    '2026-03',
    '2026-03-01T00:00:00.000+01:00',
    '2026-04-01T00:00:00.000+02:00',
  ],
  ['accounting-export', { month: '' }, '2026-09', '2026-09-01T00:00:00.000+02:00', '2026-10-01T00:00:00.000+02:00'],
  ['audit-report', { quarter: '2026-Q1' }, '2026-Q1', '2026-01-01T00:00:00.000+01:00', '2026-04-01T00:00:00.000+02:00'],
  ['audit-report', { quarter: '' }, '2026-Q3', '2026-07-01T00:00:00.000+02:00', '2026-10-01T00:00:00.000+02:00'],
])('%s computes all dates from %j and its time zone [S-14]', (template, given, name, from, before) => {
  expect(datesOf(`${template}.json`, { zone: 'Europe/Berlin', ...given })).toEqual({ name, from, before });
});

test("a month begins in the template's time zone, not in n8n's time zone", () => {
  const zone = { zone: 'Europe/Berlin', month: '' };
  expect(datesOf('accounting-export.json', zone, '2026-10-31T23:30:00Z')).toMatchObject({ name: '2026-10' });
});

test.each([
  ['accounting-export.json', { zone: 'Europe/Berlin', month: 'June' }],
  ['accounting-export.json', { zone: 'Europe/Nowhere', month: '' }],
  ['audit-report.json', { zone: 'Europe/Berlin', quarter: '2026-06' }],
])('%s passes no dates for the invalid settings %j, so the node rejects the call', (file, given) => {
  expect(datesOf(file, given)).toMatchObject({ from: null, before: null });
});

test.each(files)('%s describes itself in notes, and has a row in the list of templates', (file) => {
  const notes = load(file).nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
  expect(notes.map(({ name }) => name)).toEqual(['What It Does', 'Set Up', 'Customize']);
  expect(notes[0]?.parameters.content).toContain('Needs the community node `n8n-nodes-order-license`');
  const rows = readFileSync(`${folder}/README.md`, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ['));
  expect(rows.filter((row) => row.startsWith(`| [${load(file).name}](${file}) |`))).toHaveLength(1);
  expect(rows).toHaveLength(files.length);
});

test('reports contain no license key in full, and n8n may save their runs', () => {
  for (const file of ['accounting-export.json', 'audit-report.json']) {
    const template = load(file);
    expect(template.settings).not.toHaveProperty('saveDataSuccessExecution');
    const read = ordersIn(template).filter(({ parameters }) => parameters.resource === 'order');
    for (const { parameters } of read) expect([parameters.output, parameters.licenseKeys]).not.toContain('full');
    const canHaveKeys = read.filter(
      ({ parameters }) => parameters.output === 'licenseCodes' || parameters.includeDetails,
    );
    expect(canHaveKeys.every(({ parameters }) => parameters.licenseKeys)).toBe(true);
  }
});

test.each(['erp-sync.json', 'license-distribution.json', 'license-distribution-strict.json'])(
  'n8n saves no successful runs of %s, which handles license keys, and the notes say why',
  (file) => {
    const template = load(file);
    expect(template.settings).toMatchObject({ saveDataSuccessExecution: 'none' });
    expect(ordersIn(template).every(({ parameters }) => parameters.licenseKeys === 'full')).toBe(true);
    expect(parameter(template, 'Set Up').content).toContain('Save successful production executions');
  },
);

test('the data for the ERP contains no license key [S-14]', () => {
  const template = load('erp-sync.json');
  const body = String(parameter(template, 'Send to ERP').jsonBody).replace(/^=\{\{|\}\}$/g, '');
  const $json = {
    orderNumber: 'B-1',
    createdAt: '2030-01-01T00:00:00.000Z',
    billingAddress: { ort: 'Köln' },
    lineItems: [{ productName: 'P', licenseCodes: [{ licenseKey: 'CANARY' }] }],
  };
  const sent = runInNewContext(body, { $json, JSON }) as string;
  const { licenseCodes, ...item } = $json.lineItems[0] ?? {};
  expect(JSON.parse(sent)).toMatchObject({ ...$json, lineItems: [item] });
  expect(sent).not.toContain('CANARY');
});

test('the ERP accepts a status that an order gets a second time, although both events have the same ID', () => {
  const { parameters } = parameter(load('erp-sync.json'), 'Send to ERP').headerParameters as {
    parameters: { name: string; value: string }[];
  };
  const key = parameters.find(({ name }) => name === 'Idempotency-Key')?.value.replace(/^=\{\{|\}\}$/g, '');
  const of = ($json: object, id: string) => runInNewContext(String(key), { $json, $execution: { id } }) as string;
  expect(of({ eventId: 'status:1:bezahlt' }, '7')).not.toBe(of({ eventId: 'status:1:bezahlt' }, '8'));
  expect(of({ eventId: 'status:1:bezahlt' }, '7')).not.toBe(of({ eventId: 'new-order:1' }, '7'));
  expect(of({ orderNumber: 'B-1' }, '7')).toBe('again:B-1:7');
});

const after = (template: Template, name: string, output = 0) =>
  template.connections[name]?.main[output]?.map(({ node }) => node);

test('the strict distribution records all codes before the first email, and marks each code before and after its email [S-14]', () => {
  const template = load('license-distribution-strict.json');
  expect(after(template, 'Not in Table')).toEqual(['Add as Waiting']);
  expect(after(template, 'Add as Waiting')).toEqual(['One by One']);
  expect(after(template, 'One by One', 1)).toEqual(['Mark as Sending']);
  expect(after(template, 'Mark as Sending')).toEqual(['Send Code']);
  expect(after(template, 'Send Code')).toEqual(['Mark as Sent']);
  expect(after(template, 'Send Code', 1)).toEqual(['Mark as Failed']);
});

test.each(['license-distribution.json', 'license-distribution-strict.json'])(
  'the table of %s contains no license key',
  (file) => {
    const tables = load(file).nodes.filter(({ type }) => type === 'n8n-nodes-base.dataTable');
    expect(tables.length).toBeGreaterThan(3);
    expect(JSON.stringify(tables)).not.toContain('licenseKey');
  },
);

test.each(['license-distribution.json', 'license-distribution-strict.json'])(
  'an order that cannot be read does not stop %s from resending the codes of other orders',
  (file) => {
    const template = load(file);
    expect(template.nodes.find(({ name }) => name === 'Get Order')).toMatchObject({ onError: 'continueRegularOutput' });
    expect(evaluate(condition(template, 'Find Code'), { $json: { error: 'X', details: {} } })).toBe('undefined');
  },
);

test('the accounting export writes files only if the totals are complete', () => {
  const template = load('accounting-export.json');
  expect(after(template, 'Totals')).toEqual(['Complete?']);
  expect(after(template, 'Complete?', 0)).toEqual(['Totals as CSV', 'Orders']);
  expect(after(template, 'Complete?', 1)).toEqual(['Not Complete']);
  expect(after(template, 'Not Complete')).toBeUndefined();
  const isComplete = (...complete: boolean[]) =>
    evaluate(condition(template, 'Complete?'), {
      $: () => ({ all: () => complete.map((one) => ({ json: { complete: one } })) }),
    });
  expect([isComplete(true, true), isComplete(true, false)]).toEqual([true, false]);
});

test('the audit report lists a problem only for unread orders and a quarter without codes', () => {
  const of = ($json: object) => evaluate(assigned('audit-report.json', 'Rows', 'Problem'), { $json });
  expect(of({ orderId: 1, licenseCodeId: 2 })).toBe('');
  expect(of({ orderId: 1, licenseCodeId: null, licenseKey: 'X' })).toBe('');
  expect(of({ error: 'Order B-1 (ID 1): X', details: {} })).toBe('Order B-1 (ID 1): X');
  expect(of({})).toContain('No license codes');
});

test('if reading stops early, the audit report and the report about the ERP say that orders are missing', () => {
  const $json = { error: 'Rate limit reached', details: { advice: 'Reading stopped at X.' } };
  expect(evaluate(assigned('audit-report.json', 'Rows', 'Problem'), { $json })).toContain('Reading stopped at X.');
  const inReport = assigned('erp-sync.json', 'Failed Orders', 'orderNumber');
  expect(evaluate(inReport, { $json })).toBe('Some orders were not read');
});

test('the name of the audit report says whether orders may be missing', () => {
  const { fileName } = parameter(load('audit-report.json'), 'Report as Spreadsheet').options as { fileName: string };
  const isComplete = fileName.match(/\{\{((?:(?!\{\{).)*Totals.*?)\}\}\.xlsx$/)?.[1];
  const suffixIf = (complete: boolean | undefined) =>
    evaluate(isComplete, { $: () => ({ all: () => [{ json: { complete: true } }, { json: { complete } }] }) });
  expect([suffixIf(true), suffixIf(false)]).toEqual(['', '-incomplete']);
  expect(suffixIf(undefined)).toBe('-incomplete');
});

test('the audit report is written even if its totals fail', () => {
  const nodes = load('audit-report.json').nodes.filter(({ name }) => ['Totals', 'License Codes'].includes(name));
  expect(nodes.map(({ onError }) => onError)).toEqual(['continueRegularOutput', 'continueRegularOutput']);
});
