import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';

/** Loads the check on a Node with this version. */
const checkOn = (node: string): Promise<unknown> => {
  vi.resetModules();
  const { versions } = process;
  Object.defineProperty(process, 'versions', { value: { ...versions, node } });
  onTestFinished(() => void Object.defineProperty(process, 'versions', { value: versions }));
  return import('./check-node.ts');
};

test.each(['20.19.0', '22.18.9'])('Node %s is rejected', async (version) => {
  const message = `@order-license/core needs Node.js 22.19 or newer; this is ${version}. Update Node.js.`;
  await expect(checkOn(version)).rejects.toThrow(message);
});

test.each(['22.19.0', '30.1.0'])('Node %s is accepted', async (version) => {
  await expect(checkOn(version)).resolves.toBeDefined();
});

test('importing the package on an older Node fails with a one-line error, before undici fails to load', () => {
  const older = `data:text/javascript,${encodeURIComponent(`
    import zlib from 'node:zlib';
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });
    Object.defineProperty(zlib, 'createZstdDecompress', { value: undefined });`)}`;
  const core = fileURLToPath(new URL('../index.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, ['--import', older, core], { encoding: 'utf8' });
  expect(stderr).toContain(
    'Error: @order-license/core needs Node.js 22.19 or newer; this is 20.19.0. Update Node.js.\n',
  );
  expect(status).toBe(1);
});
