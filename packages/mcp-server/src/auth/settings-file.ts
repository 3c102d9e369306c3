import { readFileSync, statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { codeOf } from '@order-license/core/host';
import { isOrderLicenseError } from '@order-license/core/portable';
import { writeLine } from '../log/stderr.ts';
import { parseSettings, type SignInSettings, wrong } from './settings.ts';

/** Time between two checks of the file, ms. */
const lookEveryMs = 2_000;

export interface SettingsFile {
  /** Returns the file's latest usable settings. */
  current(): SignInSettings;
  /** Stops watching the file. */
  close(): void;
}

/**
 * Reads the file and follows its changes.
 * @throws `configuration` if the file cannot be read or used, or if its mode is wider than 0640
 */
export const openSettingsFile = (path: string, serverHasKey: boolean, everyMs = lookEveryMs): SettingsFile => {
  let seen = readText(path);
  let settings = parseSettings(seen, serverHasKey);

  const look = (): void => {
    let now = '';
    try {
      now = readText(path);
      if (now === seen) return;
      const next = parseSettings(now, serverHasKey);
      if (!isSameServer(settings, next)) {
        throw wrong('has changes outside `subjects`', 'Restart the server to apply them.');
      }
      settings = next;
      writeLine(`The file named in ORDER_LICENSE_OAUTH was reloaded; subjects: ${next.subjects.size}.`);
    } catch (error) {
      const reason = isOrderLicenseError(error) ? error.message : 'The new file cannot be used.';
      now ||= reason;
      if (now === seen) return;
      writeLine(`SIGN-IN STILL USES THE OLD FILE; subjects: ${settings.subjects.size}. ${reason}`);
    }
    seen = now;
  };
  // Polling detects changes that file system notifications miss: renamed files, moved links, mounted volumes.
  const timer = setInterval(look, everyMs).unref();
  return { current: () => settings, close: () => clearInterval(timer) };
};

/**
 * Whether two versions of the file differ only in `subjects`. If the issuer changes, its subjects must not be accepted
 * as subjects of the old issuer.
 */
const isSameServer = (one: SignInSettings, { subjects: _, ...other }: SignInSettings): boolean =>
  isDeepStrictEqual({ ...one, ...other }, one);

/**
 * Reads the file once.
 * @throws `configuration` if the file cannot be read or used, or if its mode is wider than 0640
 */
export const readSettingsFile = (path: string, serverHasKey: boolean): SignInSettings =>
  parseSettings(readText(path), serverHasKey);

const readText = (path: string): string => {
  try {
    // Windows uses access lists instead of modes. Group read is allowed because Kubernetes makes a mounted Secret
    // readable by the pod's group.
    if (process.platform === 'win32' || (statSync(path).mode & 0o037) === 0) return readFileSync(path, 'utf8');
  } catch (error) {
    const code = codeOf(error) ?? 'unknown';
    throw wrong(`cannot be read (${code})`, 'Check the path, and who owns the file.');
  }
  throw wrong(
    'can be read or changed by users other than its owner and group',
    'Run chmod 600 on the file: it can contain API keys.',
  );
};
