import { readFileSync, statSync } from 'node:fs';
import { isOrderLicenseError } from '@order-license/core/portable';
import { writeLine } from '../log/stderr.ts';
import { parseSettings, type SignInSettings, wrong } from './settings.ts';

/** How often the file is checked, ms. */
const lookEveryMs = 2_000;

export interface SettingsFile {
  /** The file's current settings; an unusable version is ignored. */
  current(): SignInSettings;
  /** Stops watching the file. */
  close(): void;
}

/**
 * Reads the file and follows its changes.
 * @throws `configuration` when it cannot be read or used, or others than its owner and group can read it
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
  // Polling detects what notifications miss: renamed files, moved links, mounted volumes.
  const timer = setInterval(look, everyMs).unref();
  return { current: () => settings, close: () => clearInterval(timer) };
};

/** A value that changes with any change to the file. */
const versionOf = (path: string): string => {
  try {
    const { dev, ino, size, mode, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mode, mtimeNs, ctimeNs].join();
  } catch (error) {
    return codeOf(error); // reading the file then reports it
  }
};

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown');

/** Subjects are specific to their issuer: another issuer's must not be accepted as the old one's. */
const isSameServer = (one: SignInSettings, other: SignInSettings): boolean =>
  (['publicUrl', 'issuer', 'audience', 'scope'] as const).every((name) => one[name] === other[name]);

/**
 * Reads the file once.
 * @throws `configuration` when it cannot be read or used, or others than its owner and group can read it
 */
export const readSettingsFile = (path: string, serverHasKey: boolean): SignInSettings => {
  let text: string;
  try {
    // Windows has access lists instead of modes. Kubernetes makes a mounted Secret readable for the group of the pod.
    if (process.platform !== 'win32' && (statSync(path).mode & 0o037) !== 0) {
      throw wrong(
        'can be read or changed by users other than its owner and group',
        'Run chmod 600 on it: it can contain API keys.',
      );
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isOrderLicenseError(error)) throw error;
    throw wrong(`cannot be read (${codeOf(error)})`, 'Check the path, and who owns the file.');
  }
  return parseSettings(text, serverHasKey);
};
