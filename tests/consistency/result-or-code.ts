import { isOrderLicenseError } from '@order-license/core';

/** A call's result, or the code of its error. */
export const resultOrCode = async <Answer>(work: Promise<Answer>): Promise<Answer | string> => {
  try {
    return await work;
  } catch (error) {
    if (isOrderLicenseError(error)) return error.code;
    throw error;
  }
};
