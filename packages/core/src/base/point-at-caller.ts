import { isOrderLicenseError } from './errors.ts';

/**
 * Throws the error with a stack trace that starts at this call. Catch the promise of a call with it, so that the trace
 * includes the caller's line: the original trace ends after ten frames, and a walk alone has more. An error from outside
 * this library keeps its own trace.
 */
export const throwFromHere = (error: unknown): never => {
  // Some JavaScript engines have no `captureStackTrace`.
  if (isOrderLicenseError(error)) Error.captureStackTrace?.(error);
  throw error;
};

/**
 * Returns the stack trace of an error without its message, which could contain a key. Meant for errors other than
 * {@link OrderLicenseError}.
 */
export const stackFrames = (error: unknown): string[] => {
  if (!(error instanceof Error)) return [];
  const { message, stack = '' } = error;
  // The trace begins with the message, which can span several lines. If the message has changed since the throw, the
  // trace still contains the old message, which cannot be recognized.
  const start = stack.indexOf(message);
  return start < 0 ? [] : (stack.slice(start + message.length).match(/(?<=^ *)at .+/gm) ?? []);
};
