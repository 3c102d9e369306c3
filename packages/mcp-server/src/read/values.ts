import { OrderLicenseError } from '@order-license/core/portable';

/** Maximum number of values in a result; enough for about 30,000 license codes. */
export const maxValues = 200_000;

/** Returns the number of values in a part of a result, including the part itself. */
export const countValues = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + countValues(inner), 1)
    : 1;

export const tooLong = (): OrderLicenseError =>
  new OrderLicenseError('invalid_response', {
    detail: `The response has more than ${maxValues} field values, too many for this server to show`,
    advice: 'Use the client library to read the same data, or ask the shop for it.',
  });
