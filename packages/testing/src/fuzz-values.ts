import fc from 'fast-check';

/** Words with a special meaning in paths, headers, prototypes, templates, numbers or terminals. */
const words = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', ' ', '\u0000', '\ufeff', '\u202e'],
  ...['../me', '1/../../me', '..%2f..%2fme', '%2e%2e/', '1?status=x', '1#x', '//evil.example/', '1;x', '\\..\\me'],
  ...['1\r\nx-injected: 1', '1\nHost: evil.example', '\r\n\r\n', 'Bearer x', 'x: y'],
  ...['1e3', '1e999', '0x10', '１', '𝟙', '007', '+1', '-1', '1.5', '9007199254740993', '9'.repeat(400), 'NaN', '٣'],
  ...['<script>alert(1)</script>', '{{7*7}}', '={{ $json }}', '$' + '{x}', '=1+1', "' OR 1=1 --", '%s%n', '\ud83d'],
];

export const fuzzText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...words),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.integer({ min: 1, max: 20_000 }).map((length) => 'x'.repeat(length)),
);

const fuzzNumber: fc.Arbitrary<number> = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 1, -1, 1.5, 50, 51, 2 ** 53, 2 ** 53 - 1, 1e21, 1e308, Number.POSITIVE_INFINITY, Number.NaN),
);

/** Any value that a caller could pass. */
export const fuzzValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fuzzText },
  { weight: 3, arbitrary: fuzzNumber },
  {
    weight: 1,
    arbitrary: fc.constantFrom(null, undefined, true, false, 1n, Symbol('x'), () => 1, new Date(Number.NaN)),
  },
  { weight: 1, arbitrary: fc.anything({ withNullPrototype: true, withBigInt: true, maxDepth: 2 }) },
);

const known = [
  ...['status', 'data', 'error', 'orders', 'pagination', 'pages', 'page', 'per_page', 'total', 'id', 'items'],
  ...['license_codes', 'license_key', 'download_url_64', 'created_at', 'bestellnummer', 'menge', 'user_id'],
];
const fieldName = fc.oneof(
  fc.constantFrom(...known),
  fc.constantFrom('__proto__', 'constructor', 'toJSON', 'then', 'length'),
  fuzzText,
);

const { node } = fc.letrec<{ node: string; list: string; object: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      ...['null', 'true', '1', '-0', '1e400', '-1', '0.1', '9007199254740993', '1E5', '"1"', '""', '[]', '{}'],
    ),
    fuzzText.map((text) => JSON.stringify(text)),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => `[${nodes.join()}]`),
  object: fc
    .array(fc.tuple(fieldName, tie('node')), { maxLength: 5 })
    .map((fields) => `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`),
}));

/** JSON as a string, so that it can contain `__proto__`, extremely large numbers and duplicate fields. */
export const fuzzJson: fc.Arbitrary<string> = node;

/** Any value that JSON can represent. */
export const fuzzJsonValue: fc.Arbitrary<unknown> = fc.oneof(
  fuzzText,
  fuzzNumber.filter(Number.isFinite),
  fuzzJson.map((text) => JSON.parse(text) as unknown),
);
