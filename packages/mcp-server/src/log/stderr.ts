// A client that closes its end of stderr must not end the server.
process.stderr.on('error', () => undefined);

/** Writes a line for the operator. */
export const writeLine = (line: string): void => {
  process.stderr.write(`order-license-mcp: ${line}\n`);
};
