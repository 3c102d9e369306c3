import { isOrderLicenseError } from '@order-license/core';

/** What a call answers, or the code of its error. */
export const answerOrCode = async <Answer>(work: Promise<Answer>): Promise<Answer | string> => {
  try {
    return await work;
  } catch (error) {
    if (isOrderLicenseError(error)) return error.code;
    throw error;
  }
};
