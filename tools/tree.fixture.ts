import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '@order-license/testing/temporary-folder';

/** Creates a folder with these files, which is removed when the test ends. */
export const makeTree = (files: Record<string, string>): string => {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
};

export const fence = (info: string, ...lines: string[]): string => [`\`\`\`${info}`, ...lines, '```', ''].join('\n');
