import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder with these files, until the test ends. */
export const makeTree = (files: Record<string, string>): string => {
  const root = mkdtempSync(join(tmpdir(), 'order-license-checks-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
};

export const fence = (info: string, ...lines: string[]): string => [`\`\`\`${info}`, ...lines, '```', ''].join('\n');
