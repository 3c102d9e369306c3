import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsdown';
import { leanSdk } from './build/lean-sdk.ts';
import { thirdPartyNotices } from './build/third-party-notices.ts';

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  entry: 'src/cli/cli.ts',
  dts: false,
  fixedExtension: false,
  checks: { pluginTimings: false },
  publint: true,
  minify: true,
  copy: ['src/app/order-card.css', 'src/app/order-card.js'],
  plugins: [leanSdk(), thirdPartyNotices()],
  // All code that runs before the first response over stdio is in one file, because each further file delays the start
  // by about a millisecond.
  outputOptions: {
    codeSplitting: {
      groups: [
        { name: 'main', test: /mcp-server[\\/]src[\\/]cli[\\/]run\.ts$/ },
        { name: 'redis', test: /@redis[\\/]client/ },
      ],
    },
  },
  // Everything is bundled, so that npx installs one package.
  deps: {
    alwaysBundle: [/./],
    onlyBundle: [
      '@modelcontextprotocol/core',
      '@modelcontextprotocol/server',
      '@redis/client',
      'jose',
      'undici',
      'zod',
    ],
  },
  alias: {
    // The SDK's default validator, ajv, is needed only for responses to elicitation, which this server never uses.
    '@modelcontextprotocol/server/_shims': local('build/sdk-shims.ts'),
    // undici is CommonJS, which can't be tree-shaken: without this replacement, its fetch, WebSocket, caches and mocks
    // would also be bundled.
    undici$: local('build/undici-agents.js'),
    '@opentelemetry/api': local('build/absent.js'),
    '@node-rs/xxhash': local('build/absent.js'),
  },
});
