import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

test('the portable, host and masking entry points use no timers, `process` or packages', async () => {
  const external: string[] = [];
  const bundle = await rolldown({
    input: ['portable.ts', 'for-hosts.ts', 'masking.ts'].map((file) => fileURLToPath(new URL(file, import.meta.url))),
    external: (id) => {
      const isPackage = !/^[./]/.test(id);
      if (isPackage) external.push(id);
      return isPackage;
    },
  });
  const { output } = await bundle.generate({
    format: 'esm',
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false } },
    comments: false,
  });
  await bundle.close();
  expect(external).toEqual([]);
  const code = output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('\n');
  expect(code).toContain('createClient');
  expect(code).toContain('checkBaseUrl');
  const world =
    /\b(setTimeout|setInterval|setImmediate|clearTimeout|process|globalThis|global|require|fetch|performance|Buffer|crypto|console|__dirname)\b/;
  expect(code.match(world)?.[0]).toBeUndefined();
  expect(code).not.toMatch(/\bimport\b(?! \{ .* \} from "\.\/)/);
});
