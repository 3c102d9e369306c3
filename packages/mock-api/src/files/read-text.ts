import { readFileSync } from 'node:fs';

const reasons: Record<string, string> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a folder, not a file',
  EACCES: 'this process has no permission to read it',
};

/**
 * Reads a text file in UTF-8, or in UTF-16 with a byte order mark, as PowerShell writes it.
 * @throws Error that begins with the path
 */
export const readText = (path: string): string => {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`${path}: ${reasons[code] ?? message}`);
  }
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${path}: it is not UTF-8`);
  }
};
