import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: ['nodes/*/*.node.ts', 'credentials/*.credentials.ts'],
  format: 'cjs',
  target: 'node22',
  dts: false,
  fixedExtension: false,
  checks: { pluginTimings: false },
  // The verification scan lints the build: only core/portable and core/host may be bundled, and no package from npm.
  deps: { alwaysBundle: [/./], neverBundle: ['n8n-workflow'], onlyBundle: [] },
  // Node and trigger load the same client file: two copies would count the requests of a key separately.
  outputOptions: {
    chunkFileNames: 'nodes/shared/[name].js',
    codeSplitting: { groups: [{ name: 'order-license', test: /[\\/](core[\\/]src|nodes[\\/]shared)[\\/]/ }] },
  },
  copy: ['icons', { from: ['nodes/*/*.node.json', 'nodes/*/__schema__/**/*.json'], to: 'dist/nodes', flatten: false }],
});
