import { onTestFinished, vi } from 'vitest';

/** Returns a list that collects all lines that this process writes to stderr until the test ends. */
export const watchStderr = (): string[] => {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => lines.push(String(chunk)) > 0);
  onTestFinished(() => spy.mockRestore());
  return lines;
};
