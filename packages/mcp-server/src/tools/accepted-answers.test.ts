import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectToCanned } from '../testing/canned-service.fixture.ts';
import { callTool } from '../testing/mcp-session.fixture.ts';

test('never withholds a response that core accepts [U-59]', async () => {
  let data: unknown;
  const client = await connectToCanned(() => ({ data }), { retries: 0 });

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
  // A count that is text becomes a number.
  const count = fc.jsonValue().filter((value) => typeof value !== 'string' || !/^\d+$/.test(value));
  const anyFields = (...names: string[]) => Object.fromEntries(names.map((name) => [name, fc.jsonValue()]));
  const summary = fc.record(
    { id, ...anyFields('bestellnummer', 'status', 'gesamtpreis_brutto', 'created_at', 'further') },
    { requiredKeys: ['id'] },
  );
  const answers = fc.oneof(
    fc.record({
      name: fc.constant('order_license_get_me'),
      args: fc.constant({}),
      data: fc.record(anyFields('user_id', 'email', 'company', 'further'), { requiredKeys: [] }),
    }),
    fc.record({
      name: fc.constant('order_license_list_orders'),
      args: fc.constant({}),
      data: fc.record({
        orders: fc.array(summary),
        pagination: fc.record(
          { pages: fc.nat(), page: count, per_page: count, total: count },
          { requiredKeys: ['pages'] },
        ),
      }),
    }),
    fc.record({
      name: fc.constant('order_license_get_order'),
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
      const { advice } = answer.data;
      expect(answer.text).toBe(JSON.stringify({ ...JSON.parse(JSON.stringify(sent)), advice }));
      expect(answer.isError).toBe(false);
    }),
    { numRuns: 300 },
  );
});
