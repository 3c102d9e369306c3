/** Maximum number of lines of one kind per minute; further lines are only counted. */
const maxLines = 10;
const windowMs = 60_000;

export interface RequestLog {
  /**
   * Logs a failed or rejected request.
   * @param what the problem, in fixed words; lines with the same words are counted together
   * @param found the invalid part of the request, quoted
   */
  write(what: string, from: string | undefined, found?: string | undefined): void;
  /** Writes the counts that have not been logged yet. */
  end(): void;
}

/**
 * Creates a log with one line per failed or rejected request. After ten lines of one kind in a minute, further ones are
 * only counted.
 */
export const createRequestLog = (writeLine: (line: string) => void): RequestLog => {
  const counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const say = (text: string): void => writeLine(`${new Date().toISOString()} ${text}`);

  const end = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const [what, count] of counts) {
      if (count > maxLines) say(`${count - maxLines} more within a minute: ${what}`);
    }
    counts.clear();
  };

  return {
    write(what, from = 'a closed connection', found) {
      const count = (counts.get(what) ?? 0) + 1;
      counts.set(what, count);
      timer ??= setTimeout(end, windowMs).unref();
      if (count <= maxLines) say(`from ${from}: ${what}${found === undefined ? '' : ` (${found})`}`);
    },
    end,
  };
};
