import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { read } from './markdown.ts';

const page = 'docs/maintaining.md';
const heading = 'A new field';
/** The field to look for, and its name if no JSON is read or written. */
const field = 'waehrung';
const names = /\b(waehrung|currency)\b/;

const code = 'packages/**/*.{ts,yaml}';
const outside = /(^|[\\/])(node_modules|dist|bench)([\\/]|$)|\.(test|fixture)\.m?ts$/;

/** The recipe for a new field must name every source file that mentions an existing one, and no other path. */
export const checkRecipe = (root: string): string[] => {
  const [, recipe] = read(root, page).split(new RegExp(`^## ${heading}$`, 'm'));
  if (recipe === undefined) return [`${page} has no heading "${heading}".`];
  const [steps = ''] = recipe.split(/^## /m);
  const named = Array.from(steps.matchAll(/`(packages\/[^`\s]+)`/g), ([, path = '']) => path);
  const files = globSync(code, { cwd: root, exclude: (path) => outside.test(path) })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !outside.test(path) && new RegExp(`\\b${field}\\b`).test(read(root, path)))
    .sort();
  const covers = (path: string, file: string): boolean => (path.endsWith('/') ? file.startsWith(path) : file === path);
  return [
    ...named.flatMap((path) => {
      if (!existsSync(join(root, path))) return [`${page} names ${path}, which does not exist.`];
      return mentions(root, path) ? [] : [`${page} names ${path}, which does not mention ${field}.`];
    }),
    ...files
      .filter((file) => !named.some((path) => covers(path, file)))
      .map((file) => `${page} does not name ${file} under "${heading}", but it mentions ${field}.`),
  ];
};

const mentions = (root: string, path: string): boolean => {
  const files = path.endsWith('/') ? globSync(`${path}**/*.{ts,json,yaml}`, { cwd: root }) : [path];
  return files.some((file) => names.test(readFileSync(join(root, file), 'utf8')));
};
