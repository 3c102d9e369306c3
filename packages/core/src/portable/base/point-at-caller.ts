import { isOrderLicenseError } from './errors.ts';

/** The error with a stack trace from here. A defect keeps its own. */
export const tracedFromHere = <Thrown>(error: Thrown): Thrown => {
  // Not every JavaScript engine has it.
  if (isOrderLicenseError(error)) Error.captureStackTrace?.(error);
  return error;
};

/**
 * The result of `call`, whose errors get a stack trace from here. Traces end after ten frames, and a walk has more than
 * that of its own: without this, the line of the caller would be missing.
 */
export const pointAtCaller = async <Result>(call: Promise<Result>): Promise<Result> => {
  try {
    return await call;
  } catch (error) {
    throw tracedFromHere(error);
  }
};
