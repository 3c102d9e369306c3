import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rolldown } from 'tsdown';

/** Writes the licenses of all packages that were bundled beside the bundle, as those licenses ask for. */
export const thirdPartyNotices = (): Rolldown.Plugin => ({
  name: 'third-party-notices',
  generateBundle(_options, bundle) {
    const folders = Object.values(bundle)
      .flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []))
      .flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id.replaceAll('\\', '/')) ?? []);
    const notices = [...new Set(folders)].map(readNotice).sort();
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source: notices.join('\n\n') });
  },
});

const readNotice = (folder: string): string => {
  const { name, version, license, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file
    ? readFileSync(join(folder, file), 'utf8').trim()
    : `The package holds no license file; its source is at ${repository?.url ?? repository}.`;
  return `${name} ${version} (${license})\n\n${text}\n`;
};
