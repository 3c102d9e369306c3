import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Returns the modules that `code` loads when it runs in a separate process. */
const loadedBy = async (code: string): Promise<string[]> => {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    ${code}
    console.log(JSON.stringify(loaded));`;
  const args = ['--no-warnings', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  return JSON.parse(stdout) as string[];
};

const ofZod = (urls: string[]): string[] => urls.filter((url) => url.includes('/zod/'));

test('importing the main entry point and creating a client does not load zod', async () => {
  const options = "{ baseUrl: 'http://127.0.0.1:9/api/v1', apiKey: 'key', onEvent: () => {} }";
  const loaded = await loadedBy(
    `const { createClient } = await import('@order-license/core'); createClient(${options});`,
  );
  expect(loaded).toContainEqual(expect.stringContaining('/core/src/index.ts'));
  expect(ofZod(loaded)).toEqual([]);
});

test('the schemas have their own entry point', async () => {
  expect(ofZod(await loadedBy("await import('@order-license/core/schema');"))).not.toEqual([]);
});
