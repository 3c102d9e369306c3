import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const n8nRequire = createRequire(new URL('packages/n8n-nodes/package.json', import.meta.url));

/** Limits for a test or a hook that hangs, ms. They are generous, because a busy machine is slow. */
const limits = { testTimeout: 60_000, hookTimeout: 60_000 };

/**
 * For many small files with large imports: the files of a worker share its modules, which takes half the time. So a test
 * restores what it replaces, and APIs in one process have different addresses.
 */
const together = { ...limits, isolate: false };

/** Starts with the project `tests`. Its files take longest, so at the end of a run they would leave a processor idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(b.project.name === 'tests') - Number(a.project.name === 'tests'));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Many tests wait for a child process or a socket, so more tests can run at once than there are processors.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    reporters: ['default', './tools/conformance/reporter.ts'],
    projects: [
      { test: { name: 'core', root: 'packages/core', ...limits } },
      { test: { name: 'mock-api', root: 'packages/mock-api', ...limits } },
      { test: { name: 'mcp-server', root: 'packages/mcp-server', ...together } },
      {
        // n8n-workflow's ES modules lack "type": "module", so Vite would inline and transform all of it.
        resolve: { alias: { 'n8n-workflow': n8nRequire.resolve('n8n-workflow') } },
        test: { name: 'n8n-nodes', root: 'packages/n8n-nodes', ...together },
      },
      { test: { name: 'testing', root: 'packages/testing', ...limits } },
      { test: { name: 'tools', root: 'tools', ...limits } },
      { test: { name: 'tests', root: 'tests', ...limits } },
    ],
  },
});
