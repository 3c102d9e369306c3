import { stackFrames } from '@order-license/core/host';

// Without this listener, a client that closes its end of stderr would end the server.
process.stderr.on('error', () => undefined);

/** Writes a line for the operator. */
export const writeLine = (line: string): void => {
  process.stderr.write(`order-license-mcp: ${line}\n`);
};

/** Lets the process end within a second: lines that nobody reads from stderr would keep it running. */
export const giveUpUnreadLines = (): void => {
  if (process.stderr.writableLength > 0) setTimeout(() => process.exit(), 1_000).unref();
};

const maxFrames = 5;

/**
 * For a bug report, writes the place in the code where an error occurred. Omits the error's message, which could
 * contain a key.
 */
export const logDefect = (during: string, error: unknown): void => {
  const name = error instanceof Error ? error.constructor.name : typeof error;
  const place = [name, ...stackFrames(error).slice(0, maxFrames)].join(' ');
  writeLine(`${new Date().toISOString()} ${during} failed unexpectedly; please report this line: ${place}`);
};
