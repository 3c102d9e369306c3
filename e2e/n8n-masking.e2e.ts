import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenPlanted, type PlantedService } from '../tests/masking/planted-service.ts';
import { plantedShapes } from '../tests/masking/planted-shapes.ts';
import { createHome, type Home } from './n8n/home.ts';
import { orderLicense, workflowOf } from './n8n/workflows.ts';

let service: PlantedService;
let home: Home;

/**
 * Number of orders, each with a secret in a different place. One run can read this many without waiting for the rate
 * limit.
 */
const maxOrders = 45;
const shapes = plantedShapes.filter(([, { error }]) => !error).slice(0, maxOrders);
const orders = shapes.map(([, planted], index) => ({ ...(planted.orders[7] as object), id: index + 1 }));
const entries = shapes.map(([, planted], index) => ({ ...(planted.list.orders[0] as object), id: index + 1 }));

const list = { resource: 'order', operation: 'listOrders', includeDetails: true, limit: maxOrders };
const workflows: Record<string, object> = {
  masked: { ...list, licenseKeys: 'masked' },
  'masked-raw': { ...list, licenseKeys: 'masked', simplify: false },
  'masked-codes': { ...list, licenseKeys: 'masked', output: 'licenseCodes' },
  'left-out': { ...list, licenseKeys: 'leftOut', simplify: false },
};
const full = { ...list, licenseKeys: 'full' };

/** Returns everything that n8n has written to its folder so far: database, logs and output. */
const written = (): string =>
  readdirSync(home.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

beforeAll(async () => {
  service = await listenPlanted();
  service.plant({
    me: { user_id: 1 },
    list: { orders: entries, pagination: { page: 1, per_page: 50, total: entries.length, pages: 1 } },
    orders: Object.fromEntries(orders.map((order) => [order.id, order])),
  });
  home = createHome();
  await home.importCredential({ baseUrl: service.baseUrl, apiKey: 'the-api-key' });
  const all = Object.entries({ ...workflows, full });
  await home.importWorkflows(all.map(([id, parameters]) => workflowOf(id, orderLicense(id, { ...parameters }))));
});

afterAll(async () => {
  home?.remove();
  await service?.close();
});

test('no saved execution of n8n contains a planted key if keys are masked or left out [S-29]', async () => {
  for (const id of Object.keys(workflows)) {
    const run = await home.execute(id);
    expect(run.status).toBe('success');
    expect(run.data.resultData.runData['Order License']?.[0]?.data?.main[0]?.length).toBeGreaterThanOrEqual(10);
    expect(JSON.stringify(run)).not.toMatch(/canary/i);
  }
  expect(written()).not.toMatch(/canary/i);
  // If license keys are shown in full, the search must find one. This proves that the other searches look in the right
  // place.
  await home.execute('full');
  expect(written()).toMatch(/canary/i);
});
