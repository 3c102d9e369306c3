import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ScriptedModel, startScriptedModel } from './n8n/scripted-model.ts';
import { api, home, mock, serveShop } from './n8n/shop.ts';
import { agentWorkflow } from './n8n/workflows.ts';
import type { Order } from './read-api.ts';

const canary = 'canary-n8n-agent';
serveShop(canary);
let model: ScriptedModel;
let order: Order;

const tools = {
  'Get Account': { resource: 'account', operation: 'getMe' },
  'List Orders': { resource: 'order', operation: 'listOrders' },
  'Add Up Orders': { resource: 'order', operation: 'listOrders', output: 'totals' },
  'Get Order': { resource: 'order', operation: 'getOrder' },
};
const agentVersions = [1.9, 2.2, 3];
const workflowOf = (version: number): string => `agent-${String(version).replace('.', '-')}`;
const raw = { 'Get Order': { ...tools['Get Order'], simplify: false } };
const shown = { 'Get Order': { ...tools['Get Order'], licenseKeys: 'full' } };

beforeAll(async () => {
  const { id } = mock.state.insertOrder('business', {
    status: 'bezahlt',
    items: [{ menge: 2, einzelpreis_brutto: '12.34' }],
  });
  order = await api.order(id);
  model = await startScriptedModel();
  await home.importModelCredential(model.url);
  await home.importWorkflows([
    ...agentVersions.map((version) => agentWorkflow(workflowOf(version), tools, version)),
    agentWorkflow('agent', tools),
    agentWorkflow('raw', raw),
    agentWorkflow('shown', shown),
  ]);
});
beforeEach(() => {
  model.requests.length = 0;
});
afterAll(() => model?.close());

/** The last finished execution, as n8n saved it. */
let execution = '';

/** Runs an agent whose model calls these tools one after the other. */
const run = async (workflow: string, ...calls: { tool: string; input: object }[]) => {
  model.script = [...calls, 'done'];
  const { status, data } = await home.execute(workflow);
  execution = JSON.stringify(data);
  expect(data.resultData.error).toBeUndefined();
  expect(status).toBe('success');
  return model.results();
};

const allOrders = { Created_From: '', Created_Before: '', Product: '', Status: '' };

test('the model reads the description of each tool, and fills in its fields', async () => {
  await run('agent');
  const offered = Object.fromEntries(model.tools().map((tool) => [tool.name, tool]));
  expect(Object.keys(offered).sort()).toEqual(['Add_Up_Orders', 'Get_Account', 'Get_Order', 'List_Orders']);
  expect(offered.Get_Order?.description).toContain('License keys may be masked');
  expect(offered.List_Orders?.description).toContain('newest first');
  expect(offered.Add_Up_Orders?.description).toContain('Count orders');
  expect(offered.Get_Account?.description).toContain('VAT ID');
  expect(Object.keys(offered.Get_Order?.parameters.properties ?? {})).toEqual(['Order']);
  const filters = ['Created_From', 'Created_Before', 'Product', 'Status'];
  expect(Object.keys(offered.List_Orders?.parameters.properties ?? {}).sort()).toEqual([...filters, 'Limit'].sort());
  expect(Object.keys(offered.Add_Up_Orders?.parameters.properties ?? {}).sort()).toEqual([...filters].sort());
  expect(offered.List_Orders?.parameters.properties.Status?.description).toContain('bezahlt (paid)');
});

test('by default, no license key reaches the model or the saved execution [S-29]', async () => {
  const get = { tool: 'Get_Order', input: { Order: order.bestellnummer } };
  const [account, listed, totals, whole] = await run(
    'agent',
    { tool: 'Get_Account', input: {} },
    { tool: 'List_Orders', input: { ...allOrders, Limit: 3 } },
    { tool: 'Add_Up_Orders', input: { ...allOrders, Status: 'bezahlt' } },
    get,
  );
  expect(account).toContain('vat_id');
  expect(JSON.parse(listed ?? '')).toHaveLength(3);
  expect(totals).toContain('grossTotal');
  expect(whole).toContain(order.bestellnummer);
  expect(whole).toContain('****');
  expect(execution).not.toContain(canary);
  await run('raw', get);
  expect(execution).not.toContain(canary);
  const everything = model.requests.join('\n');
  expect(everything).toContain('license_key');
  expect(everything).not.toContain(canary);
});

test('the owner of a workflow can choose to show license keys to the model', async () => {
  const [whole] = await run('shown', { tool: 'Get_Order', input: { Order: order.bestellnummer } });
  expect(whole).toContain(`${canary}-`);
});

test.each(agentVersions)('agent %d may leave out or empty every optional field', async (version) => {
  const results = await run(
    workflowOf(version),
    { tool: 'List_Orders', input: {} },
    { tool: 'List_Orders', input: { ...allOrders, Limit: 3 } },
    { tool: 'Add_Up_Orders', input: {} },
    { tool: 'List_Orders', input: { Created_From: 'last week' } },
    { tool: 'List_Orders', input: { Created_Before: '1999-01-01' } },
  );
  const [all, three, totals, wrong, none] = results.map((result) => JSON.parse(result));
  expect(all).toHaveLength(50);
  expect(three).toHaveLength(3);
  expect(totals[0]).toHaveProperty('grossTotal');
  expect(wrong[0].details.advice).toContain('Leave it out for all dates.');
  expect(none).toEqual([{ result: 'No orders were found.' }]);
});

test('agent 3 may pass null, lists, and text where a number belongs', async () => {
  const nothing = { Created_From: null, Created_Before: null, Product: null, Status: null, Limit: null };
  const results = await run(
    'agent',
    { tool: 'List_Orders', input: nothing },
    { tool: 'List_Orders', input: { Limit: '3', Status: ['bezahlt', 'abgeschlossen'] } },
    { tool: 'Get_Order', input: { Order: null } },
  );
  const [all, three, wrong] = results.map((result) => JSON.parse(result));
  expect(all).toHaveLength(50);
  expect(three).toHaveLength(3);
  expect(wrong[0].details.advice).toBe('Order number, such as B-2026-000042.');
});

// If n8n starts to accept these, the guide's advice to use version 3 can go.
test.each([1.9, 2.2])(
  'agent %d ends its execution before the node runs if an argument is null, or a number sent as text',
  async (version) => {
    for (const input of [{ Status: null }, { Limit: '3' }]) {
      model.script = [{ tool: 'List_Orders', input }, 'done'];
      const { data } = await home.execute(workflowOf(version));
      expect(JSON.stringify(data.resultData.error)).toContain('did not match expected schema');
    }
  },
);
