import { fuzzJson, fuzzText } from '@order-license/testing/fuzz-values';
import fc from 'fast-check';

const methods = [
  ...[
    'initialize',
    'ping',
    'tools/list',
    'tools/call',
    'prompts/list',
    'prompts/get',
    'resources/read',
    'server/discover',
  ],
  ...['notifications/initialized', 'notifications/cancelled', 'logging/setLevel', 'completion/complete', '__proto__'],
];
const message = fc
  .tuple(
    fc.oneof(fc.constant('"2.0"'), fuzzJson),
    fc.oneof(fc.integer().map(String), fuzzJson),
    fc.oneof(
      fc.constantFrom(...methods).map((method) => JSON.stringify(method)),
      fuzzJson,
    ),
    fc.oneof(
      fuzzJson,
      fuzzJson.map((args) => `{"name":"order_license_get_order","arguments":${args},"_meta":${args}}`),
    ),
    fuzzText.map((name) => JSON.stringify(name)),
  )
  .map(([version, id, method, params, name]) => {
    return `{"jsonrpc":${version},"id":${id},"method":${method},"params":${params},${name}:1}`;
  });

/** JSON-RPC messages that are nearly valid, and lines that are not JSON. */
export const fuzzMessage: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: message },
  { weight: 2, arbitrary: fuzzJson },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((messages) => `[${messages.join()}]`) },
  { weight: 1, arbitrary: fuzzText },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 50_000 }).map((depth) => '['.repeat(depth)) },
);
