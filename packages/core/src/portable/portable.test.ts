import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

test('the portable entry, built alone, knows no timers, no process, no packages', async () => {
  const external: string[] = [];
  const bundle = await rolldown({
    input: fileURLToPath(new URL('index.ts', import.meta.url)),
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
  expect(output).toHaveLength(1);
  expect(external).toEqual([]);
  const { code } = output[0];
  expect(code).toContain('createClient');
  const world =
    /\b(setTimeout|setInterval|setImmediate|clearTimeout|process|globalThis|global|require|fetch|performance|Buffer|crypto|console|__dirname)\b/;
  expect(code.match(world)?.[0]).toBeUndefined();
  expect(code).not.toMatch(/\bimport\b/);
});
