import { isOrderLicenseError } from '@order-license/core';
import { plantedKey, refuseSecrets } from '@order-license/testing/canary';
import { fuzzText } from '@order-license/testing/fuzz-values';
import fc from 'fast-check';
import { readConfig } from '../../packages/mcp-server/src/config/config.ts';
import { variables } from '../../packages/mcp-server/src/config/variables.ts';
import { readHttpOptions } from '../../packages/mcp-server/src/http/options.ts';
import { type Area, holdsFor } from './area.ts';

const flags = ['--open', '--port', '--host', '--allow-host', '--allow-origin', '--port=', '--', '-h', '--__proto__'];
const value = fc.oneof(
  fuzzText,
  fuzzText.map((text) => `redis://user:${plantedKey}@${text}`),
  fuzzText.map((text) => `sqlite:${text}`),
  fuzzText.map((text) => `https://${plantedKey}@${text}/api/v1`),
  fuzzText.map((text) => `https://shop.example/${text}/api/v1?${plantedKey}`),
  fuzzText.map((text) => `${plantedKey}${text}`),
);

export const settings: Area = {
  name: 'environment and flags of the MCP server',
  holds: 'a configuration, or a `configuration` error that contains none of the values',
  share: 5,
  open: async () => ({
    property: holdsFor(
      fc.record({
        changed: fc.dictionary(fc.constantFrom(...variables.map(({ name }) => name), 'ORDER_LICENSE_X'), value),
        args: fc.array(fc.oneof(fc.constantFrom(...flags), value), { maxLength: 4 }),
        http: fc.boolean(),
      }),
      async ({ changed, args, http }) => {
        const env = {
          ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1',
          ORDER_LICENSE_API_KEY: plantedKey,
          ...changed,
        };
        try {
          if (http) readHttpOptions(args, env);
          else readConfig(env);
        } catch (error) {
          if (!isOrderLicenseError(error) || error.code !== 'configuration') throw error;
          if (error.message.length > 600) throw new Error(`A message of ${error.message.length} characters.`);
          refuseSecrets(error);
        }
      },
    ),
  }),
};
