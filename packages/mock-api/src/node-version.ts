import packageJson from '../package.json' with { type: 'json' };

/**
 * Checks the Node.js version. Other runtimes pass.
 * @param version Default: the running version.
 * @throws Error if it is older than `engines` in package.json allows
 */
export const rejectOldNode = (version: string | undefined = globalThis.process?.versions.node): void => {
  if (version === undefined) return;
  const needed = packageJson.engines.node.slice('>='.length);
  if (version.localeCompare(needed, 'en', { numeric: true }) >= 0) return;
  throw new Error(`Node.js ${needed} or newer is needed; this is ${version}.`);
};
