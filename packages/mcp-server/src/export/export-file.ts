import { unlinkSync } from 'node:fs';
import { constants, copyFile, link, lstat, open, readdir, realpath, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, configurationError } from '@order-license/core/host';

/** A file that is named `NAME.partial` until it is complete. */
export interface ExportFile {
  /** The file's name, without the folder and `.partial`. */
  name: string;
  write(text: string): Promise<void>;
  /**
   * Closes the file and gives it its final name.
   * @returns the name
   */
  finish(name: string): Promise<string>;
  /** Removes the file. */
  discard(): Promise<void>;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_WRONLY } = constants;

/**
 * The paths of the unfinished files. They are removed when the process ends, because no other process can continue
 * them.
 */
const unfinished = new Set<string>();
process.on('exit', () => {
  for (const path of unfinished) {
    try {
      unlinkSync(path);
    } catch {
      // The folder is gone, or the file is in use.
    }
  }
});

/** Matches the names of unfinished files. */
const partialName = /^(orders|license-codes)_.+_[\da-f]{8}\.csv\.partial$/;
/** Age above which an unfinished file is abandoned, ms: no server still writes to it. */
const abandonedMs = 86_400_000;

/** Removes the unfinished files of servers that were killed, because the files may contain license keys. */
const removeAbandoned = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch(() => []);
  for (const path of names.filter((name) => partialName.test(name)).map((name) => join(folder, name))) {
    const stats = await lstat(path).catch(() => undefined);
    if (stats && Date.now() - stats.mtimeMs > abandonedMs) await unlink(path).catch(() => undefined);
  }
};

/**
 * Creates a file that only the user can read, in this folder. Neither follows links nor overwrites files. If the
 * process ends before the file is complete, removes it.
 * @throws `configuration` if the file cannot be created
 */
export const createExportFile = async (folder: string, name: string): Promise<ExportFile> => {
  const at = await inFolder(() => realpath(folder));
  const partial = join(at, `${name}.partial`);
  await removeAbandoned(at);
  const file = await inFolder(() => open(partial, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600));
  unfinished.add(partial);
  return {
    name,
    write: (text) => inFolder(() => file.writeFile(text)),
    async finish(finalName) {
      await inFolder(async () => {
        await file.sync();
        const whole = join(at, finalName);
        // Both `link` and `copyFile` fail if the name is taken. The copy is for file systems that don't support links.
        await link(partial, whole).catch((error) => {
          if (error?.code === 'EEXIST') throw error;
          return copyFile(partial, whole, constants.COPYFILE_EXCL);
        });
        await file.close();
        await unlink(partial);
      });
      unfinished.delete(partial);
      return finalName;
    },
    async discard() {
      await file.close().catch(() => undefined);
      await unlink(partial).catch(() => undefined);
      unfinished.delete(partial);
    },
  };
};

/** Runs `work`. If it fails, the error omits the path, which may contain the user's name. */
const inFolder = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error) ?? 'unknown';
    throw configurationError(
      `The file could not be written to the export folder (${code})`,
      'Check the folder in ORDER_LICENSE_EXPORT_FOLDER: it must exist, and the user who runs the server must be able to write to it.',
    );
  }
};
