import packageJson from '../package.json' with { type: 'json' };

/**
 * @param version of Node.js; the running one where absent, and none in other runtimes
 * @throws Error if it is older than `engines` of the package allows
 */
export const refuseOldNode = (version: string | undefined = globalThis.process?.versions.node): void => {
  if (version === undefined) return;
  const needed = packageJson.engines.node.slice('>='.length);
  if (version.localeCompare(needed, 'en', { numeric: true }) >= 0) return;
  throw new Error(`Node.js ${needed} or newer is needed, this is ${version}.`);
};
