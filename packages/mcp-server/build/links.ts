import packageJson from '../package.json' with { type: 'json' };

const { name, version, repository } = packageJson;

/** Links for the registries and the bundle. Only package.json names the owner. */
export const repositoryUrl = repository.url.replace(/^git\+|\.git$/g, '');

const [, owner = ''] = new URL(repositoryUrl).pathname.split('/');

/** The image of this version, as the release workflow pushes it. */
export const image = `ghcr.io/${owner}/${name.split('/').at(-1)}:${version}`;

/** The web page of a repository file. */
export const pageOf = (path: string): string => `${repositoryUrl}/blob/main/${path}`;

/** A file that the release workflow attaches to this version's release on GitHub. */
export const releaseFile = (file: string): string =>
  `${repositoryUrl}/releases/download/${encodeURIComponent(`${name}@${version}`)}/${file}`;
