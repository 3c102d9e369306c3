import packageJson from '../package.json' with { type: 'json' };

const { name, version, repository } = packageJson;

/** What the registries and the bundle link to. The owner stands in package.json alone. */
export const repositoryUrl = repository.url.replace(/^git\+|\.git$/g, '');

const [, owner = ''] = new URL(repositoryUrl).pathname.split('/');

/** The image of this version, as the release workflow pushes it. */
export const image = `ghcr.io/${owner}/${name.split('/').at(-1)}:${version}`;

/** The page of a file of the repository. */
export const pageOf = (path: string): string => `${repositoryUrl}/blob/main/${path}`;

/** The bytes of a file of the repository. */
export const rawOf = (path: string): string =>
  `${repositoryUrl.replace('//github.com/', '//raw.githubusercontent.com/')}/main/${path}`;

/** A file that the release workflow attaches to this version's release on GitHub. */
export const releaseFile = (file: string): string =>
  `${repositoryUrl}/releases/download/${encodeURIComponent(`${name}@${version}`)}/${file}`;
