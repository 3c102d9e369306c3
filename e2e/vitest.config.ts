import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['*.e2e.ts'],
    reporters: ['verbose'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
