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
  // The node and the trigger load the same client file, because two copies would count a key's requests separately.
  outputOptions: {
    // Comments are for readers of the repository: they would make the package 30% larger.
    comments: { jsdoc: false },
    chunkFileNames: 'nodes/shared/[name].js',
    codeSplitting: { groups: [{ name: 'order-license', test: /[\\/](core[\\/]src|nodes[\\/]shared)[\\/]/ }] },
  },
  copy: ['icons', { from: ['nodes/*/*.node.json', 'nodes/*/__schema__/**/*.json'], to: 'dist/nodes', flatten: false }],
});
