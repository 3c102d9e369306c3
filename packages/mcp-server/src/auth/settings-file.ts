import { readFileSync, statSync } from 'node:fs';
import { isOrderLicenseError } from '@order-license/core/portable';
import { writeLine } from '../log/stderr.ts';
import { parseSettings, type SignInSettings, wrong } from './settings.ts';

/** How often the file is looked at, ms. */
const lookEveryMs = 2_000;

export interface SettingsFile {
  /** As the file says now; a version that cannot be used changes nothing. */
  current(): SignInSettings;
  /** No longer looks for changes. */
  close(): void;
}

/**
 * Reads the file and follows its changes.
 * @throws `configuration` when it cannot be read or used, or others than its owner can read it
 */
export const openSettingsFile = (path: string, serverHasKey: boolean, everyMs = lookEveryMs): SettingsFile => {
  let seen = versionOf(path);
  let settings = readSettingsFile(path, serverHasKey);

  const look = (): void => {
    const version = versionOf(path);
    if (version === seen) return;
    seen = version;
    try {
      const next = readSettingsFile(path, serverHasKey);
      if (!isSameServer(settings, next)) {
        throw wrong('has changes outside of `subjects`', 'Restart the server to apply them.');
      }
      settings = next;
      writeLine(`The file of ORDER_LICENSE_OAUTH was reloaded; subjects: ${next.subjects.size}.`);
    } catch (error) {
      const reason = isOrderLicenseError(error) ? error.message : 'It cannot be used.';
      writeLine(`SIGN-IN STILL USES THE OLD FILE; subjects: ${settings.subjects.size}. ${reason}`);
    }
  };
  // Looking again and again sees what a notification misses: renamed files, links that move, mounted volumes.
  const timer = setInterval(look, everyMs).unref();
  return { current: () => settings, close: () => clearInterval(timer) };
};

/** What changes with the file, whatever is done to it. */
const versionOf = (path: string): string => {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? [stat.dev, stat.ino, stat.size, stat.mode, stat.mtimeNs, stat.ctimeNs].join() : 'none';
};

/** Subjects are names of their issuer: those of another one must not be let in under the old. */
const isSameServer = (one: SignInSettings, other: SignInSettings): boolean =>
  (['publicUrl', 'issuer', 'audience', 'scope'] as const).every((name) => one[name] === other[name]);

/**
 * Reads the file once.
 * @throws `configuration` when it cannot be read or used, or others than its owner can read it
 */
export const readSettingsFile = (path: string, serverHasKey: boolean): SignInSettings => {
  let text: string;
  try {
    // Windows has access lists instead of modes.
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
      throw wrong('is readable by users other than its owner', 'Run chmod 600 on it: it can contain API keys.');
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isOrderLicenseError(error)) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    throw wrong(`cannot be read (${code})`, 'Check the path, and who owns the file.');
  }
  return parseSettings(text, serverHasKey);
};
