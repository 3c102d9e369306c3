import { isOrderLicenseError } from './errors.ts';

/** Returns the error with a stack trace that starts here. An unexpected error keeps its own trace. */
export const tracedFromHere = <Thrown>(error: Thrown): Thrown => {
  // Not every JavaScript engine supports `captureStackTrace`.
  if (isOrderLicenseError(error)) Error.captureStackTrace?.(error);
  return error;
};

/**
 * Returns the result of `call`; its errors get a stack trace that starts here. A trace ends after ten frames. A walk
 * alone has more, so the caller's line would be missing.
 */
export const pointAtCaller = async <Result>(call: Promise<Result>): Promise<Result> => {
  try {
    return await call;
  } catch (error) {
    throw tracedFromHere(error);
  }
};

/**
 * Where an error was thrown: its stack trace without its message, which could contain a key. For errors other than
 * {@link OrderLicenseError}.
 */
export const stackFrames = (error: unknown): string[] => {
  if (!(error instanceof Error)) return [];
  const { message, stack = '' } = error;
  // The trace begins with the message, which can span several lines. A message that has been changed since then cannot
  // be removed.
  const start = stack.indexOf(message);
  if (start < 0) return [];
  const lines = stack.slice(start + message.length).split('\n');
  return lines.map((line) => line.trim()).filter((line) => line.startsWith('at '));
};
