import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { index: 'src/index.ts', cli: 'src/cli/cli.ts', fetch: 'src/fetch.ts', msw: 'src/msw.ts' },
  dts: true,
  // Declares `Symbol.asyncDispose`, whatever the `lib` of the user's project.
  banner: { dts: '/// <reference lib="esnext.disposable" />' },
  copy: 'src/page/static',
  fixedExtension: false,
  checks: { pluginTimings: false },
  deps: { onlyBundle: [] },
  publint: true,
  attw: { profile: 'esm-only', level: 'error', excludeEntrypoints: ['openapi.yaml'] },
});
