import { isOrderLicenseError } from './errors.ts';

/** The error with a stack trace from here. An unexpected error keeps its own. */
export const tracedFromHere = <Thrown>(error: Thrown): Thrown => {
  // Not every JavaScript engine supports it.
  if (isOrderLicenseError(error)) Error.captureStackTrace?.(error);
  return error;
};

/**
 * The result of `call`, whose errors get a stack trace from here. Traces end after ten frames, and a walk alone has
 * more, so the caller's line would be missing.
 */
export const pointAtCaller = async <Result>(call: Promise<Result>): Promise<Result> => {
  try {
    return await call;
  } catch (error) {
    throw tracedFromHere(error);
  }
};
