/**
 * Where an error was thrown: the lines of its stack trace, without its message, which could contain a key. For errors
 * that are no {@link OrderLicenseError}.
 */
export const stackFrames = (error: unknown): string[] => {
  if (!(error instanceof Error)) return [];
  const { message, stack = '' } = error;
  // The trace begins with the message, which can have lines of its own. If it was changed since, the trace is useless.
  const start = stack.indexOf(message);
  if (start < 0) return [];
  const lines = stack.slice(start + message.length).split('\n');
  return lines.map((line) => line.trim()).filter((line) => line.startsWith('at '));
};
