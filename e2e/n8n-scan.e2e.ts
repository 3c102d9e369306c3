import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { installFolder } from './install-folder.ts';
import { pack } from './packages/tarball.ts';

const scanner = fileURLToPath(new URL('scanner/', import.meta.url));
const source = fileURLToPath(new URL('../packages/n8n-nodes/', import.meta.url));

// n8n verifies both parts of a pack: the source that its provenance names, and the published tarball.
test("the source and the tarball of the n8n pack pass n8n's own scanner", () => {
  installFolder(scanner, "Installing n8n's package scanner into e2e/scanner/node_modules.");
  const unpacked = join(dirname(pack('n8n-nodes').path), 'package');
  const output = execFileSync(process.execPath, [join(scanner, 'scan.mjs'), source, unpacked], {
    // With NODE_ENV=test, some of the scanner's rules behave differently.
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toEqual([{ passed: true }, { passed: true }]);
}, 300_000);
