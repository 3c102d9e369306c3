import { createClient as createNodeClient } from '@order-license/core';
import { createClient, type Host, isOrderLicenseError } from '@order-license/core/portable';
import { bundleNames, listen, type SettingInput, settings } from '@order-license/mock-api';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { callTool } from '../testing/mcp-session.fixture.ts';

/** Every single setting of the mock that the text leaves open, with each of its words. */
const readings = Object.entries(settings).flatMap(([name, setting]) => {
  if (setting.kind === 'choice') return setting.values.map((value) => ({ [name]: value }) as SettingInput);
  if (name === 'missing' || name === 'nulls') {
    return ('words' in setting ? (setting.words ?? []) : []).map((word) => ({ [name]: [word] }) as SettingInput);
  }
  return [];
});

const rateLimit = { requests: 1_000_000, minGapMs: 0 };

test('U-01 to U-63: whatever the service answers, the tools give on what core accepts, and only that', async () => {
  const mock = await listen({ limit: 'off', journalSize: 10 });
  onTestFinished(() => mock.close());
  const options = { baseUrl: mock.baseUrl, apiKey: mock.keys.business, rateLimit, retries: 0, maxWaitMs: 0 };
  const core = createNodeClient(options);
  const client = await connectInProcess(async () => core);
  const { orders } = await core.listOrders({ perPage: 50 });
  const paid = orders.find(({ status }) => status === 'bezahlt')?.id ?? 0;
  const pending = orders.find(({ status }) => status === 'ausstehend')?.id ?? 0;
  const reads = [
    ['get_me', {}, () => core.getMe()],
    ['list_orders', { per_page: 3 }, () => core.listOrders({ perPage: 3 })],
    ['get_order', { id: paid }, () => core.getOrder(paid)],
    ['get_order', { id: pending }, () => core.getOrder(pending)],
  ] as const;
  let given = 0;
  let refused = 0;
  const compare = async (reading: unknown) => {
    for (const [name, args, read] of reads) {
      const answer = await callTool(client, name, args);
      const accepted = await read().catch((error: unknown) => error);
      const at = `${name} under ${JSON.stringify(reading)}`;
      if (isOrderLicenseError(accepted)) {
        refused += 1;
        expect(answer.text, at).toMatch(new RegExp(`^${accepted.code}: `));
      } else {
        given += 1;
        expect(answer.data, at).toEqual(accepted);
      }
    }
  };
  for (const bundle of bundleNames) {
    mock.setDialect(bundle, { limit: 'off' });
    await compare(bundle);
  }
  for (const reading of readings) {
    mock.setDialect('strict', { limit: 'off', ...reading });
    await compare(reading);
  }
  expect(given).toBeGreaterThan(readings.length * 3);
  expect(refused).toBeGreaterThan(0);
});

test('U-59 an answer that core accepts is never withheld, whatever stands in the fields on which core does not lean', async () => {
  let data: unknown;
  const host: Host = {
    now: () => 0,
    sleep: () => Promise.resolve(),
    send: async () => ({
      status: 200,
      headers: {},
      body: new TextEncoder().encode(JSON.stringify({ status: 200, data })),
    }),
  };
  const options = { host, baseUrl: 'https://shop.example/api/v1', apiKey: 'key', rateLimit, retries: 0 };
  const core = createClient(options);
  const client = await connectInProcess(async () => core);

  const id = fc.oneof(fc.integer({ min: 1 }), fc.integer({ min: 1 }).map(String));
  const code = fc.oneof(
    fc.jsonValue(),
    fc.record({ id, license_key: fc.jsonValue(), download_url_64: fc.jsonValue() }, { requiredKeys: [] }),
  );
  const item = fc.oneof(
    fc.jsonValue(),
    fc.record(
      { id, menge: fc.jsonValue(), license_codes: fc.oneof(fc.array(code), fc.jsonValue()) },
      { requiredKeys: [] },
    ),
  );
  const anyFields = (...names: string[]) => Object.fromEntries(names.map((name) => [name, fc.jsonValue()]));
  const summary = fc.record(
    { id, ...anyFields('bestellnummer', 'status', 'gesamtpreis_brutto', 'created_at', 'further') },
    { requiredKeys: ['id'] },
  );
  const answers = fc.oneof(
    fc.record({
      name: fc.constant('get_me'),
      args: fc.constant({}),
      data: fc.record(anyFields('user_id', 'email', 'company', 'further'), { requiredKeys: [] }),
    }),
    fc.record({
      name: fc.constant('list_orders'),
      args: fc.constant({}),
      data: fc.record({
        orders: fc.array(summary),
        pagination: fc.record(
          { pages: fc.nat(), ...anyFields('page', 'per_page', 'total') },
          { requiredKeys: ['pages'] },
        ),
      }),
    }),
    fc.record({
      name: fc.constant('get_order'),
      args: fc.constant({ id: 7 }),
      data: fc.record(
        {
          id: fc.constantFrom(7, '7'),
          items: fc.oneof(fc.array(item), fc.jsonValue()),
          ...anyFields('bestellnummer', 'status', 'billing_address'),
        },
        { requiredKeys: ['id'] },
      ),
    }),
  );
  await fc.assert(
    fc.asyncProperty(answers, async ({ name, args, data: sent }) => {
      data = sent;
      const answer = await callTool(client, name, args);
      expect(answer.text).toBe(JSON.stringify(JSON.parse(JSON.stringify(sent))));
      expect(answer.isError).toBe(false);
    }),
    { numRuns: 300 },
  );
});
