import { existsSync, lstatSync, unlinkSync } from 'node:fs';
import { constants, type FileHandle, open, realpath, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { argumentError, codeOf, configurationError } from '@order-license/core/host';
import { isOrderLicenseError } from '@order-license/core/portable';

/** An unfinished file, which this call alone writes. */
export interface ExportFile {
  /** Adds text at the end. */
  write(text: string): Promise<void>;
  /** Returns the file's length so far, bytes. */
  bytes(): number;
  /**
   * Gives the file its final name.
   * @returns the name
   */
  finish(isComplete: boolean): Promise<string>;
  /** Removes the file. */
  discard(): Promise<void>;
  /** Ends this call's use of the file. */
  close(): Promise<void>;
}

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_WRONLY } = constants;

/** Matches the names of unfinished files; each becomes the name of the finished file without `.partial`. */
const partialName = /^(orders|license-codes)_[\w.-]+_[\da-f]{8}\.csv\.partial$/;
const finishedName = (name: string, isComplete: boolean): string =>
  name.replace(/\.csv\.partial$/, isComplete ? '.csv' : '_incomplete.csv');

/**
 * The paths of the unfinished files that this process has begun or continued, each with its state after this process's
 * last change; undefined while it writes. When the process ends, it removes these files, because they may contain
 * license keys and nobody completes them. It keeps a file that another process has changed since then: a client has
 * reconnected and continues the export there.
 */
const unfinished = new Map<string, string | undefined>();
process.on('exit', () => {
  for (const [path, state] of unfinished) {
    try {
      if (state === undefined || state === stateOf(path)) unlinkSync(path);
    } catch {
      // The folder is gone, or the file is in use.
    }
  }
});

/** Returns a text that changes with each write, and with each cut, even to the same length. */
const stateOf = (path: string): string => {
  const { size, mtimeNs } = lstatSync(path, { bigint: true });
  return `${size} ${mtimeNs}`;
};

/** The paths of the files that a running call writes. */
const inUse = new Set<string>();

const startAgain = 'Start the export again.';

/** Opens an unfinished file, and cuts it to its length when an earlier call ended. */
const openUnfinished = async (folder: string, name: string, length: number): Promise<FileHandle> => {
  const file = await open(join(folder, name), O_APPEND | O_NOFOLLOW | O_WRONLY).catch((error) => {
    const finished = [true, false].map((isComplete) => finishedName(name, isComplete));
    const found = finished.find((one) => existsSync(join(folder, one)));
    if (codeOf(error) !== 'ENOENT') throw error;
    throw found === undefined
      ? argumentError(`There is no unfinished export ${name}`, `${startAgain} On exit, a server removes such files.`)
      : argumentError(`This export is already finished; its file is ${found}`);
  });
  try {
    if ((await file.stat()).size >= length) {
      await file.truncate(length);
      return file;
    }
    throw argumentError(`The file ${name} is shorter than \`bytes\`, so it was changed`, startAgain);
  } catch (error) {
    await file.close();
    throw error;
  }
};

/**
 * Creates a file that only the user can read, or opens an unfinished one and cuts it to the length that it had when an
 * earlier call ended. What a later call has written since is written again, so a repeated call writes nothing twice.
 * Does not follow links.
 * @param name a name that ends in `.csv.partial`
 * @param length the length of the unfinished file, bytes; undefined for a new file
 * @throws `bad_request` unless `name` is an unfinished export of this folder with at least this length, which no other
 * call writes; `configuration` if the file cannot be written
 */
export const openExportFile = async (folder: string, name: string, length?: number): Promise<ExportFile> => {
  if (!partialName.test(name)) throw argumentError('`file` is not the name of an unfinished export', startAgain);
  const at = await inFolder(() => realpath(folder));
  const path = join(at, name);
  if (inUse.has(path)) throw argumentError(`Another call is writing ${name}`, 'Wait until it has finished.');
  inUse.add(path);
  const opening =
    length === undefined ? open(path, O_APPEND | O_CREAT | O_EXCL | O_WRONLY, 0o600) : openUnfinished(at, name, length);
  const file = await inFolder(() => opening).catch((error) => {
    inUse.delete(path);
    throw error;
  });
  unfinished.set(path, stateOf(path));
  const checkUnchanged = (): void => {
    if (unfinished.get(path) === stateOf(path)) return;
    throw argumentError(`Another process is writing ${name}`, 'Call again with the same arguments.');
  };
  let bytes = length ?? 0;
  const close = async (): Promise<void> => {
    await file.close().catch(() => undefined);
    inUse.delete(path);
  };
  return {
    bytes: () => bytes,
    async write(text) {
      await inFolder(async () => {
        checkUnchanged();
        unfinished.set(path, undefined);
        await file.writeFile(text);
        unfinished.set(path, stateOf(path));
      });
      bytes += Buffer.byteLength(text);
    },
    async finish(isComplete) {
      const finished = finishedName(name, isComplete);
      await inFolder(async () => {
        checkUnchanged();
        await file.sync();
        await file.close();
        await rename(path, join(at, finished));
      });
      unfinished.delete(path);
      return finished;
    },
    async discard() {
      await close();
      await unlink(path).catch(() => undefined);
      unfinished.delete(path);
    },
    close,
  };
};

/** Runs `work`. If it fails, the error omits the path, which may contain the user's name. */
const inFolder = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work();
  } catch (error) {
    if (isOrderLicenseError(error)) throw error;
    const code = codeOf(error) ?? 'unknown';
    throw configurationError(
      `The file could not be written to the export folder (${code})`,
      'Check the folder in ORDER_LICENSE_EXPORT_FOLDER: it must exist, and the user who runs the server must be able to write to it.',
    );
  }
};
