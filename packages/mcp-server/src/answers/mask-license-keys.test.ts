import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askDirectly, startSession } from '../testing/mcp-session.fixture.ts';
import { maskLicenseKeys } from './mask-license-keys.ts';

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

const key = 'AAAAA-BBBBB-CCCCC-DDDDD';
test.each([
  ['a map of PHP', { 17: key, 42: key }],
  ['a map of PHP in a list', [{ 17: key }]],
  ['another name', [{ code: key }]],
  ['a name in camel case', [{ licenseKey: key }]],
  ['a deeper place', [{ license: { serial: { parts: [key, { half: key }] } } }]],
  ['a list of lists', [[key], [[{ value: key }]]]],
  ['names', { [key]: { activations: 2 }, [`${key}-E`]: null }],
  ['account and password', [{ license_key: 'user1', password: key }]],
])('S-29 U-51 no key below license_codes can be read as %s, nor where it is repeated', (_, license_codes) => {
  const masked = maskLicenseKeys({ items: [{ license_codes }], note: `Your key is ${key}.` });
  expect(JSON.stringify(masked)).not.toMatch(/bbbbb/i);
  expect(masked).toMatchObject({ note: expect.stringMatching(/^Your key is \*{4}(DDDD)?\.$/) });
});

test('S-29 S-30 S-31 S-32 what the text names below license_codes stays, and so do numbers, booleans, null and names', () => {
  const kept = {
    id: '3',
    code_typ: 'abo',
    download_url_64: 'https://dl.example/setup.exe',
    download_url_32: null,
    aktivierungen_bestellung: 5,
    seats: 2,
    active: true,
    note: '',
  };
  expect(maskedCode({ license_key: key, ...kept })).toEqual({ license_key: '****DDDD', ...kept });
  const further = { os: 'Windows', state: 'aktiv', issued: '2026-01-31 08:00:00', seats: '25' };
  const masked = maskLicenseKeys(
    order(further, { created_at: '2026-01-31 08:00:00', note: '25 × Windows, aktivierungen_bestellung' }),
  );
  expect(masked).toEqual({
    id: 1,
    items: [{ id: 2, license_codes: [{ id: 3, os: '****', state: '****', issued: '****', seats: '****' }] }],
    created_at: '2026-01-31 08:00:00',
    note: '25 × Windows, aktivierungen_bestellung',
  });
});

test('S-29 codes that are told apart by their masked names alone stay as many as they were', () => {
  const codes = { 'AAAA-1': { id: 1 }, 'AAAA-2': { id: 2 }, 'AAAA-3': { id: 3 } };
  expect(maskLicenseKeys({ license_codes: codes })).toEqual({
    license_codes: { '****': { id: 1 }, '**** 2': { id: 2 }, '**** 3': { id: 3 } },
  });
});

test('S-37 U-12 absent, null and empty codes stay what they are', () => {
  for (const license_codes of [[], null, undefined, '']) {
    const plain = { id: 1, items: [{ id: 2, license_codes }] };
    expect(maskLicenseKeys(plain)).toEqual(plain);
  }
});

test('S-29 no license key gets through, whatever its form or place', () => {
  const text = fc.string({ minLength: 6, unit: 'grapheme' });
  const key = fc
    // No ordinary word and no amount: in a field of another name such a one is masked there alone.
    .oneof(
      text.map((start) => `${start}-K`),
      text.map((end) => `K-${end}`),
      fc.integer({ min: 100_000 }),
    )
    .filter((value) => String(value).trim().length >= 6 && !'********'.includes(String(value).trim()));
  const shapes = key.chain((secret) =>
    fc.record({
      secret: fc.constant(String(secret).trim()),
      code: fc.constantFrom<unknown>(
        [{ license_key: secret }],
        [secret],
        [{ license_key: { value: secret } }],
        [{ license_key: [secret] }],
        [{ licenseKey: secret }],
        [{ license_key: 'user-1', password: `${secret}` }],
        [{ more: { code: [`${secret}`] } }],
        { 17: secret },
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

test('masks a key that is repeated without what hides in it', () => {
  const sent = { note: 'Yours is ABCD-1234', items: [{ license_codes: [{ license_key: 'ABCD\u200B-1234' }] }] };
  expect(maskLicenseKeys(sent)).toEqual({
    note: 'Yours is ****',
    items: [{ license_codes: [{ license_key: '****' }] }],
  });
});

test('S-29 S-55 with ORDER_LICENSE_LICENSE_KEYS=masked no key of any order is in an answer, and the rest is unchanged', async () => {
  const session = await startSession({
    mock: { licenseKeyPrefix: 'CANARY', set: { extraFields: 'unknown' } },
    env: { ORDER_LICENSE_LICENSE_KEYS: 'masked' },
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
