import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientOf } from '../fuzz/shop.ts';
import { connectInProcess } from '../servers/mcp-in-process.ts';
import { runNode, runTrigger } from './n8n-runs.ts';
import type { Planted } from './planted-service.ts';
import { canary, key, showsCanary } from './planted-shapes.ts';

/** `MASKING_RUNS=500` searches longer. */
const runs = Number(process.env.MASKING_RUNS ?? 20);
const password = `${canary.toLowerCase()}7pass`;
/**
 * A license key that contains every planted value, so that a planted value in free text counts as a repetition of the
 * key.
 */
const license_key = `${key}; Benutzer: anna Passwort: ${password}`;

/** A canary as a string, in many spellings. */
const secret = fc.constantFrom(
  key,
  key.toLowerCase(),
  key.replaceAll('-', ''),
  key.replaceAll('-', ' – '),
  key.replaceAll('-', '\u200b'),
  `Your key: ${key}.`,
  `Benutzer: anna Passwort: ${password}`,
  `https://dl.example/${key}/setup.exe?token=${password}`,
  `https://${password}@dl.example/`,
);
const plain = fc.constantFrom<unknown>(1, -1, 1.5, true, null, '', 'Office', '10.00', 'EUR', 'bezahlt', 'retail');
const name = fc.oneof(
  secret,
  fc.constantFrom('id', 'note', 'license_key', 'license_codes', 'items', 'billing_address', '__proto__', 'orders'),
);
const { value: anyValue, holder } = fc.letrec<{ value: unknown; holder: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, depthSize: 'small' }, plain, secret, tie('holder')),
  holder: fc.oneof(fc.array(tie('value'), { maxLength: 3 }), fc.dictionary(name, tie('value'), { maxKeys: 3 })),
}));

/** Generates mostly the correct value, otherwise any value, including a canary. */
const or = <Value>(right: Value, other: fc.Arbitrary<unknown> = anyValue): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant<unknown>(right) }, { weight: 1, arbitrary: other });
/** In a result without a license key, free text is shown unchanged, so only values of other types are planted here. */
const openText = (right: string) => or(right, holder);

const withMore = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(fc.record(fields), or({}, fc.dictionary(name, anyValue, { maxKeys: 3 })))
    // Documented fields come last, so that no random field replaces an ID.
    .map(([named, more]) => Object.fromEntries([...Object.entries(more as object), ...Object.entries(named)]));

const code = withMore({
  id: or(701),
  license_key: or('AAAAA-BBBBB-CCCCC-DDDDD'),
  code_typ: or('retail'),
  download_url_64: or('https://dl.example/setup.exe'),
  download_url_32: or(null),
  aktivierungen_bestellung: or(1),
});
const item = withMore({
  id: or(70),
  product_name: or('Office'),
  menge: or(1),
  einzelpreis_brutto: or('10.00'),
  license_codes: or([], fc.oneof(fc.array(code, { maxLength: 3 }), anyValue)),
});
const keyed = {
  id: 71,
  product_name: 'Office',
  menge: 1,
  einzelpreis_brutto: '10.00',
  license_codes: [{ id: 702, license_key }],
};
const closed = {
  status: or('bezahlt'),
  gesamtpreis_brutto: or('10.00'),
  waehrung: or('EUR'),
  created_at: or('2026-01-31 08:00:00'),
};
const order = withMore({
  ...closed,
  id: fc.constant(7),
  bestellnummer: or('B-7'),
  zahlungsstatus: or('bezahlt'),
  lieferstatus: or('geliefert'),
  billing_address: or({ ort: 'Berlin' }),
  items: fc.array(fc.oneof(item, anyValue), { maxLength: 3 }).map((items) => [...items, keyed]),
});
const entry = withMore({
  ...closed,
  id: fc.constant(7),
  bestellnummer: openText('B-7'),
  zahlungsstatus: openText('bezahlt'),
  lieferstatus: openText('geliefert'),
});
const other = { ...Object.fromEntries(Object.keys(closed).map((field) => [field, null])), id: 8, bestellnummer: 'B-8' };
const planted: fc.Arbitrary<Planted> = fc.record({
  me: withMore({ user_id: or(1), email: openText('a@b.example'), company: openText('GmbH'), api_version: or('1.0') }),
  list: fc.record({
    orders: entry.map((first) => [first, other]),
    pagination: withMore({ page: or(1), per_page: or(50), total: or(2), pages: fc.constant(1) }),
  }),
  orders: order.map((whole) => ({ 7: whole, 8: { ...other, items: [] } })),
});

test('no tool shows a canary, wherever it is planted [S-29]', async () => {
  let { client } = clientOf({ status: 200, headers: {}, body: new Uint8Array() });
  const masking = await connectInProcess(async () => client, true);
  const calls = [
    ['order_license_get_me', {}, ({ me }: Planted) => me],
    ['order_license_list_orders', {}, ({ list }: Planted) => list],
    ['order_license_list_orders', { summary: true }, ({ list }: Planted) => list],
    ['order_license_list_orders', { created_from: '2020-01-01' }, ({ list }: Planted) => list],
    ['order_license_get_order', { id: 7 }, ({ orders }: Planted) => orders[7]],
    ['order_license_get_order', { ids: [7] }, ({ orders }: Planted) => orders[7]],
  ] as const;
  await fc.assert(
    fc.asyncProperty(planted, async (service) => {
      for (const [tool, args, dataOf] of calls) {
        const body = new TextEncoder().encode(JSON.stringify({ status: 200, data: dataOf(service) }));
        ({ client } = clientOf({ status: 200, headers: { 'content-type': 'application/json' }, body }));
        const { text, structured } = await masking.call(tool, args);
        const shown = `${text} ${JSON.stringify(structured)}`;
        expect(showsCanary(shown), shown).toBe(false);
      }
    }),
    { numRuns: 10 * runs },
  );
  await masking.close();
});

test.each([
  ['node', runNode, Math.ceil(runs / 2)],
  ['trigger', runTrigger, runs],
] as const)('the n8n %s neither outputs nor saves a canary, wherever it is planted [S-29]', async (_, run, numRuns) => {
  await fc.assert(
    fc.asyncProperty(planted, fc.constantFrom('masked', 'leftOut'), async (service, licenseKeys) => {
      const shown = await run(service, licenseKeys);
      expect(showsCanary(shown), shown).toBe(false);
    }),
    { numRuns },
  );
});
