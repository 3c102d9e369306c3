import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const core = fileURLToPath(new URL('../index.ts', import.meta.url));

/** Imports the package in a process whose `process.versions.node` is `version`. */
const importOn = (version: string, more = '') => {
  const code = `
    import zlib from 'node:zlib';
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
    ${more}`;
  const disguise = `data:text/javascript,${encodeURIComponent(code)}`;
  return spawnSync(process.execPath, ['--import', disguise, core], { encoding: 'utf8' });
};

test.each(['20.19.0', '22.18.9'])('importing the package on Node %s fails with a one-line error', (version) => {
  // Without this function, undici fails to load, as on an older Node.js.
  const { status, stderr } = importOn(
    version,
    'Object.defineProperty(zlib, "createZstdDecompress", { value: undefined });',
  );
  expect(stderr).toContain(
    `Error: @order-license/core needs Node.js 22.19 or newer; this is ${version}. Update Node.js.\n`,
  );
  expect(status).toBe(1);
});

test.each(['22.19.0', '30.1.0'])('Node %s is accepted', (version) => {
  expect(importOn(version)).toMatchObject({ status: 0, stderr: '' });
});
