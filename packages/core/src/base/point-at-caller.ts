import { isOrderLicenseError } from './errors.ts';

/**
 * Returns the error with a stack trace that starts at this call. An error from outside this library keeps its own
 * trace.
 */
export const tracedFromHere = <Thrown>(error: Thrown): Thrown => {
  // Some JavaScript engines have no `captureStackTrace`.
  if (isOrderLicenseError(error)) Error.captureStackTrace?.(error);
  return error;
};

/**
 * Returns the result of `call`. If `call` rejects, its error gets a new stack trace that includes the caller's line:
 * the original trace ends after ten frames, and a walk alone has more.
 */
export const pointAtCaller = async <Result>(call: Promise<Result>): Promise<Result> => {
  try {
    return await call;
  } catch (error) {
    throw tracedFromHere(error);
  }
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
  if (start < 0) return [];
  const lines = stack.slice(start + message.length).split('\n');
  return lines.map((line) => line.trim()).filter((line) => line.startsWith('at '));
};
