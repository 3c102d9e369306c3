import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type McpSubject, openMcp } from './mcp-server.ts';
import { listenPlanted, type PlantedService } from './planted-service.ts';
import { personalShapes, plantedShapes, showsCanary } from './planted-shapes.ts';

let service: PlantedService;
beforeAll(async () => {
  service = await listenPlanted();
});
afterAll(() => service.close());

const log = { ORDER_LICENSE_ACCESS_LOG: 'stderr' };

describe.each([
  ['license keys', { ORDER_LICENSE_LICENSE_KEYS: 'masked' }, plantedShapes],
  ['personal data', { ORDER_LICENSE_PERSONAL_DATA: 'masked' }, personalShapes],
] as const)('with masked %s', (_, settings, shapes) => {
  describe.each(['stdio', 'HTTP'] as const)('over %s', (over) => {
    let masking: McpSubject;
    let full: McpSubject;
    beforeAll(async () => {
      masking = await openMcp(over, service.baseUrl, { ...settings, ...log });
      full = await openMcp(over, service.baseUrl, log);
    });
    afterAll(async () => {
      await masking.close();
      await full.close();
    });

    // Both transports send the same results, so one value shows that HTTP masks them.
    test.each(over === 'HTTP' ? shapes.slice(0, 1) : shapes)('no output contains %s [S-29]', async (_, planted) => {
      service.plant(planted);
      const shown = await masking.callAll();
      expect(showsCanary(shown), shown).toBe(false);
      // Without masking, the planted value is visible, so the search finds it.
      expect(showsCanary(await full.callAll())).toBe(true);
    });

    test("no access log contains an order's values, masked or not", async () => {
      const [[, planted] = []] = shapes;
      if (planted) service.plant(planted);
      for (const { callAll, stderr } of [masking, full]) {
        await callAll();
        const lines = stderr()
          .split('\n')
          .filter((line) => line.startsWith('{'));
        expect(lines.length).toBeGreaterThan(2);
        expect(showsCanary(lines.join('\n'))).toBe(false);
        expect(lines.join('\n')).not.toMatch(/B-7|EUR|2026-01-31|the-api-key/);
      }
    });
  });
});

// The model reads what it reads without a card. A client without MCP Apps gets no ticket, as the server's own tests show.
test.each(['stdio', 'HTTP'] as const)('over %s, only the resource behind a ticket has keys [S-29]', async (over) => {
  const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
  const settings = { ORDER_LICENSE_LICENSE_KEYS: 'app', ...log };
  const subject = await openMcp(over, service.baseUrl, settings, { extensions });
  onTestFinished(() => subject.close());
  const [, planted] = plantedShapes[0] ?? [];
  if (planted) service.plant(planted);
  const shown = await subject.callAll();
  expect(showsCanary(shown), shown).toBe(false);
  expect(showsCanary(await subject.revealAll())).toBe(true);
  expect(showsCanary(subject.stderr())).toBe(false);
  expect(subject.stderr()).not.toContain('order-license://');
});
