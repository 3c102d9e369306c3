/** The parts of `process` that the command uses. */
export interface Terminal {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
  once(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}
