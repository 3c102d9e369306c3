import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'tsdown';

/** Writes the licenses of all bundled packages next to the bundle, as those licenses require. */
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

/** License files for packages that are published without one, copied from their repositories. */
const kept: Record<string, string> = {
  '@redis/client': fileURLToPath(new URL('licenses/redis-client.txt', import.meta.url)),
};

const readNotice = (folder: string): string => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entry = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const file = entry ? join(folder, entry) : kept[name];
  if (!file) throw new Error(`${name} is bundled but has no license file; add its license to build/licenses.`);
  return `${name} ${version} (${license})\n\n${readFileSync(file, 'utf8').trim()}\n`;
};
