import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect as connectHttp, serve } from '../../packages/mcp-server/src/testing/http-session.fixture.ts';
import { appCapabilities, connectHere } from '../../packages/mcp-server/src/testing/mcp-session.fixture.ts';
import { watchStderr } from '../../packages/mcp-server/src/testing/stderr.fixture.ts';
import { listenPlanted, type PlantedService } from './planted-service.ts';
import { personalShapes, plantedShapes, showsCanary } from './planted-shapes.ts';

let service: PlantedService;
beforeAll(async () => {
  service = await listenPlanted();
});
afterAll(() => service.close());

type Settings = Record<string, string>;
const connects: Record<string, (settings: Settings) => Promise<Client>> = {
  stdio: (settings) => connectHere(settings, 'legacy', appCapabilities),
  // Over HTTP, a client of a 2025 revision cannot declare that it shows MCP Apps.
  HTTP: async (settings) => connectHttp((await serve(settings)).url, {}, 'auto', appCapabilities),
};

const calls: [tool: string, args: Record<string, unknown>][] = [
  ['order_license_get_me', {}],
  ['order_license_list_orders', { per_page: 50 }],
  ['order_license_list_orders', { created_from: '2026-01-01', created_before: '2026-03-01' }],
  ['order_license_list_orders', { summary: true }],
  ['order_license_get_order', { id: 7 }],
  ['order_license_get_order', { id: 7, skip: '1' }],
  ['order_license_get_order', { order_number: 'B-7' }],
  ['order_license_get_order', { order_number: 'B-7b' }],
  ['order_license_get_order', { ids: [7, 8, 9] }],
];

/** Makes one call of every kind, and returns all output: lists, results, progress, errors and the access log. */
const callAll = async (over: string, settings: Settings): Promise<{ shown: string; log: string }> => {
  const log = watchStderr();
  const account = { ORDER_LICENSE_BASE_URL: service.newBaseUrl(), ORDER_LICENSE_API_KEY: 'the-api-key' };
  const client = await connects[over]?.({ ...account, ORDER_LICENSE_ACCESS_LOG: 'stderr', ...settings });
  if (!client) throw new Error(`No client is connected over ${over}.`);
  const shown: unknown[] = [await client.listTools(), await client.listPrompts(), client.getInstructions()];
  for (const [name, args] of calls) {
    const onprogress = (progress: unknown) => shown.push(progress);
    shown.push(await client.callTool({ name, arguments: args }, { onprogress }));
  }
  const days = { product: 'Office', from: '2026-01-01', to: '2026-01-31' };
  shown.push(await client.getPrompt({ name: 'license_distribution', arguments: days }));
  return { shown: JSON.stringify(shown), log: log.join('') };
};

describe.each([
  ['masked license keys', { ORDER_LICENSE_LICENSE_KEYS: 'masked' }, plantedShapes],
  ['license keys only in the order card', { ORDER_LICENSE_LICENSE_KEYS: 'app' }, plantedShapes.slice(0, 1)],
  ['masked personal data', { ORDER_LICENSE_PERSONAL_DATA: 'masked' }, personalShapes],
] as const)('with %s', (_, settings, shapes) => {
  // Both transports send the same results, so one value shows that HTTP masks them.
  const cases = shapes.flatMap(([name, planted], index) =>
    (index === 0 ? ['stdio', 'HTTP'] : ['stdio']).map((over) => [over, name, planted] as const),
  );
  test.each(cases)('over %s, no output contains %s [S-29]', async (over, _name, planted) => {
    service.plant(planted);
    const { shown, log } = await callAll(over, settings);
    expect(showsCanary(shown + log), shown + log).toBe(false);
    // Without masking, the results show the planted value, so the search finds it; the access log never does.
    const full = await callAll(over, {});
    expect(showsCanary(full.shown)).toBe(true);
    expect(full.log.split('\n').length).toBeGreaterThan(calls.length);
    expect(showsCanary(full.log)).toBe(false);
    expect(log + full.log).not.toMatch(/B-7|EUR|2026-01-31|the-api-key/);
  });
});
