import packageJson from '../package.json' with { type: 'json' };

const { name, version, repository } = packageJson;

/**
 * The address of the repository, on which all links for the registries and the bundle are based. Only package.json
 * names the owner.
 */
export const repositoryUrl = repository.url.replace(/^git\+|\.git$/g, '');

const [, owner = ''] = new URL(repositoryUrl).pathname.split('/');

/** The container image of this version, under the name that the release workflow uses. */
export const image = `ghcr.io/${owner}/${name.split('/').at(-1)}:${version}`;

/** Returns the address of the web page for a file in the repository. */
export const pageOf = (path: string): string => `${repositoryUrl}/blob/main/${path}`;

/** Returns the address of a file that the release workflow attaches to this version's release on GitHub. */
export const releaseFile = (file: string): string =>
  `${repositoryUrl}/releases/download/${encodeURIComponent(`${name}@${version}`)}/${file}`;
