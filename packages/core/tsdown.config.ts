import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    fetch: 'src/fetch.ts',
    'not-for-browsers': 'src/not-for-browsers.ts',
    portable: 'src/portable.ts',
    schema: 'src/schema.ts',
    // A separate file, which index.js imports before undici.
    'check-node': 'src/node/check-node.ts',
  },
  dts: true,
  // Declares `Symbol.asyncDispose`, whatever the `lib` of the user's project is.
  banner: { dts: '/// <reference lib="esnext.disposable" />' },
  fixedExtension: false,
  checks: { pluginTimings: false },
  deps: { onlyBundle: [] },
  publint: true,
  attw: { profile: 'esm-only', level: 'error' },
});
