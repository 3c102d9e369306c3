import { globSync, readFileSync } from 'node:fs';
import { isMasked, marker } from '@order-license/core/masking';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);

/** Lines of the packages' sources, without comments and tests. */
const lines = globSync('packages/{core,mcp-server,n8n-nodes}/{src,nodes}/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((file) => readFileSync(new URL(file, root), 'utf8').split('\n'))
  .filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line));

test('the source has one marker of masked values, and one place that recognizes it', () => {
  expect(lines.filter((line) => line.includes(marker))).toEqual([`export const marker = '${marker}';`]);
  const recognizes = /(?:includes|startsWith|endsWith|indexOf|split|match|test)\(marker|\\\*(?:\{|\\\*)/;
  expect(lines.filter((line) => recognizes.test(line))).toHaveLength(1);
  expect(isMasked(`see ${marker}`)).toBe(true);
});
