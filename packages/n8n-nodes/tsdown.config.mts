import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: ['nodes/*/*.node.ts', 'credentials/*.credentials.ts'],
  format: 'cjs',
  target: 'node22',
  dts: false,
  fixedExtension: false,
  checks: { pluginTimings: false },
  // The verification scan lints what is built: core/portable and core/host are all that may be inlined, and no package from npm.
  deps: { alwaysBundle: [/./], neverBundle: ['n8n-workflow'], onlyBundle: [] },
  // Node and trigger load one file with the client in it: two copies would each count the requests of a key.
  outputOptions: {
    chunkFileNames: 'nodes/shared/[name].js',
    codeSplitting: { groups: [{ name: 'order-license', test: /[\\/](core[\\/]src|nodes[\\/]shared)[\\/]/ }] },
  },
  copy: ['icons', { from: ['nodes/*/*.node.json', 'nodes/*/__schema__/**/*.json'], to: 'dist/nodes', flatten: false }],
});
