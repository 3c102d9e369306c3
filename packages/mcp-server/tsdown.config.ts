import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsdown';
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
  plugins: [thirdPartyNotices()],
  // One file for the first answer over stdio: each further file adds about a millisecond to the start.
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
    // The SDK's default validator, ajv, is for answers to elicitation, which this server never asks for.
    '@modelcontextprotocol/server/_shims': local('build/sdk-shims.ts'),
    // undici is CommonJS, which can't be tree-shaken: without this, its fetch, WebSocket, caches and mocks are bundled.
    undici$: local('build/undici-agents.js'),
    '@opentelemetry/api': local('build/absent.js'),
    '@node-rs/xxhash': local('build/absent.js'),
  },
});
