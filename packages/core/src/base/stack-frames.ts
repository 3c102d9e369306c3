/**
 * Where an error was thrown: its stack trace without its message, which could contain a key. For errors other than
 * {@link OrderLicenseError}.
 */
export const stackFrames = (error: unknown): string[] => {
  if (!(error instanceof Error)) return [];
  const { message, stack = '' } = error;
  // The trace begins with the message, which can span several lines. If the message was changed since, it cannot be
  // removed.
  const start = stack.indexOf(message);
  if (start < 0) return [];
  const lines = stack.slice(start + message.length).split('\n');
  return lines.map((line) => line.trim()).filter((line) => line.startsWith('at '));
};
