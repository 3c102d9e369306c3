import { listen, type MockServer } from '@order-license/mock-api';
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderBy, prepare, run } from '../run-node.fixture';

let service: MockServer;
beforeAll(async () => {
  service = await listen({ limit: 'off' });
});
afterAll(() => service.close());

const shown = (operation: 'getMe' | 'getOrder' | 'listOrders', parameters: IDataObject = {}, asTool = true) =>
  prepare(service, operation, parameters, { asTool }).context.getNode().parameters;

test('if the node is a tool, the model fills in the order number, the filters and the limit', () => {
  expect(shown('getOrder').order).toMatchObject({ mode: 'number', value: expect.stringContaining("$fromAI('Order',") });
  const { filters, limit } = shown('listOrders');
  for (const [name, value] of Object.entries(filters as object)) {
    expect([name, value]).toEqual([expect.any(String), expect.stringMatching(/\$fromAI\('\w+', `[^`]+`, 'string'\)/)]);
  }
  expect(Object.keys(filters as object).sort()).toEqual(['createdBefore', 'createdFrom', 'product', 'status']);
  expect(limit).toContain("'number'");
  expect(shown('listOrders', {}, false)).toMatchObject({ filters: {}, limit: 50 });
});

test('if the node is a tool, each operation describes itself to the model', () => {
  const texts = [shown('getMe'), shown('getOrder'), shown('listOrders'), shown('listOrders', { output: 'totals' })].map(
    ({ toolDescription }) => String(toolDescription),
  );
  expect(new Set(texts).size).toBe(4);
  for (const text of texts) expect(text).toMatch(/^(Read|List|Count) .*\.$/);
  expect(shown('getOrder', {}, false).toolDescription).toBeUndefined();
});

test('returns an error to the model as an item with advice, unless the node is set to stop', async () => {
  const items = await run(service, 'getOrder', orderBy('number', 'B-1'), { asTool: true });
  expect(items[0]?.json).toMatchObject({
    error: expect.stringContaining('has the number'),
    details: { code: 'not_found', advice: expect.stringContaining('Check the order number') },
  });
});
