import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskLicenseKeys } from './mask-license-keys.ts';
import { askDirectly, startSession } from './mcp-session.fixture.ts';

const order = (code: Record<string, unknown>, further: Record<string, unknown> = {}) => ({
  id: 1,
  items: [{ id: 2, license_codes: [{ id: 3, ...code }] }],
  ...further,
});
const maskedCode = (code: Record<string, unknown>) => {
  const { items } = maskLicenseKeys(order(code)) as ReturnType<typeof order>;
  return items[0]?.license_codes[0];
};

test('S-29 a masked key keeps its last four characters only when it is long', () => {
  expect(maskedCode({ license_key: 'AAAAA-BBBBB-CCCCC-DDDDD' })).toEqual({ id: 3, license_key: '****DDDD' });
  expect(maskedCode({ license_key: 'AAAA-BBBB' })).toEqual({ id: 3, license_key: '****' });
});

test('U-51 account pairs and keys with spaces are masked whole', () => {
  expect(maskedCode({ license_key: 'maria@shop.example:open sesame 123' })).toEqual({ id: 3, license_key: '****' });
  expect(maskedCode({ license_key: 'AAAA BBBB CCCC DDDD EEEE' })).toEqual({ id: 3, license_key: '****' });
});

test('U-50 S-31 the query, the fragment and the user part of a download URL are masked, and null stays null', () => {
  expect(
    maskedCode({
      license_key: 'KEY-1',
      download_url_64: 'https://user:pass@dl.example/a/setup.exe?token=abc&key=KEY-1#x',
      download_url_32: null,
    }),
  ).toEqual({
    id: 3,
    license_key: '****',
    download_url_64: 'https://****@dl.example/a/setup.exe?****',
    download_url_32: null,
  });
});

test('S-27 a key that is repeated in another field is masked there too', () => {
  const masked = maskLicenseKeys(
    order(
      { license_key: 'AAAAA-BBBBB+CCCCC', download_url_64: 'https://dl.example/AAAAA-BBBBB%2BCCCCC/setup.exe' },
      { note: 'Your key is aaaaa-bbbbb+ccccc.', 'AAAAA-BBBBB+CCCCC': true },
    ),
  );
  expect(JSON.stringify(masked)).not.toMatch(/bbbbb/i);
  expect(masked).toMatchObject({ note: 'Your key is ****.' });
});

test('S-37 U-12 absent, null and empty codes stay what they are', () => {
  for (const license_codes of [[], null, undefined, '']) {
    const plain = { id: 1, items: [{ id: 2, license_codes }] };
    expect(maskLicenseKeys(plain)).toEqual(plain);
  }
});

test('S-29 no license key gets through, whatever its form or place', () => {
  const key = fc
    .oneof(fc.string({ minLength: 6, unit: 'grapheme' }), fc.integer({ min: 100_000 }))
    .filter((value) => String(value).trim().length >= 6 && !'********'.includes(String(value).trim()));
  const shapes = key.chain((secret) =>
    fc.record({
      secret: fc.constant(String(secret).trim()),
      code: fc.constantFrom<unknown[]>(
        [{ license_key: secret }],
        [secret],
        [{ license_key: { value: secret } }],
        [{ license_key: [secret] }],
      ),
      note: fc.constantFrom(`see ${secret}!`, { deep: [{ text: `${secret}` }] }, secret, null),
    }),
  );
  fc.assert(
    fc.property(shapes, ({ secret, code, note }) => {
      const text = JSON.stringify(maskLicenseKeys({ items: [{ license_codes: code }], note }));
      // A long key shows its last four characters, so the whole of it is what may not be there.
      expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
    }),
    { numRuns: 300 },
  );
});

test('S-29 S-55 with ORDER_LICENSE_KEYS=masked no key of any order is in an answer, and the rest is unchanged', async () => {
  const session = await startSession({
    mock: { licenseKeyPrefix: 'CANARY', set: { extraFields: 'unknown' } },
    env: { ORDER_LICENSE_KEYS: 'masked' },
  });
  const { data } = await session.call('list_orders', { per_page: 50, status: 'bezahlt' });
  let codes = 0;
  for (const { id } of (data.orders as { id: number }[]).slice(0, 25)) {
    const { text, data } = await session.call('get_order', { id });
    const plain = await askDirectly(session, `/orders/${id}`);
    codes += (JSON.stringify(plain).match(/CANARY/g) ?? []).length;
    expect(text).not.toContain('CANARY');
    expect({ ...data, items: [] }).toEqual({ ...plain, items: [] });
  }
  expect(codes).toBeGreaterThan(0);
  expect(session.client.getInstructions()).toContain('masked by configuration');
  session.mock.set({ errorText: 'The key CANARY-1 is taken.' });
  const failed = await session.call('get_order', { id: 1 });
  expect(failed.text).toMatch(/^not_found: /);
  expect(failed.text).not.toContain('CANARY');
});
