// A client that closed its end of stderr is no reason to end.
process.stderr.on('error', () => undefined);

/** Writes a line for the operator. */
export const writeLine = (line: string): void => {
  process.stderr.write(`order-license-mcp: ${line}\n`);
};
