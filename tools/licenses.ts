import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Licenses that only require their text to be included. */
const allowed = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0'];

/**
 * Checks that bundled third-party code has a license that allows bundling, and that our package contains the license's
 * text. The build bundles only the packages that `onlyBundle` in its configuration lists; this check compares the list
 * with the build.
 */
export const checkLicenses = async (root: string): Promise<string[]> => {
  const configs = globSync('packages/*/tsdown.config.*ts', { cwd: root });
  return (await Promise.all(configs.map((config) => checkPackage(root, config.replaceAll('\\', '/'))))).flat();
};

const checkPackage = async (root: string, config: string): Promise<string[]> => {
  const { default: options } = await import(pathToFileURL(join(root, config)).href);
  const bundled: string[] | undefined = options.deps?.onlyBundle;
  if (!bundled)
    return [`${config} has no deps.onlyBundle, so any package could be bundled; set it, to [] if nothing is bundled.`];
  const file = `${config.replace(/[^/]*$/, '')}dist/THIRD-PARTY-NOTICES.txt`;
  const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
  const notices = [...text.matchAll(/^(\S+) \d+\.\d+\.\d+\S* \((.+)\)\n\n/gm)];
  const named = notices.map(([, name = '']) => name);
  return [
    ...bundled
      .filter((name) => !named.includes(name))
      .map((name) => `${file} lacks the license of ${name}; rebuild it.`),
    ...named.filter((name) => !bundled.includes(name)).map((name) => `${file} names ${name}, but ${config} does not.`),
    ...notices
      .filter(([, , license = '']) => !allowed.includes(license))
      .map(([, name, license]) => `${name} is bundled under ${license}, which is not allowed.`),
  ];
};
