import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: ['src/index.ts', 'src/cli.ts', 'src/fetch.ts', 'src/msw.ts'],
  dts: true,
  fixedExtension: false,
  checks: { pluginTimings: false },
  deps: { onlyBundle: [] },
  publint: true,
  attw: { profile: 'esm-only', level: 'error', excludeEntrypoints: ['openapi.yaml'] },
});
