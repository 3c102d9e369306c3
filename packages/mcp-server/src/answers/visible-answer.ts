import { isObject } from '@order-license/core/host';
import { OrderLicenseError } from '@order-license/core/portable';
import { isKeyPlace, nameBelow, withNames } from './answer-fields.ts';
import { visibleText } from './visible-text.ts';

/**
 * Copies an answer without text that is hidden from people (S-05). License keys, and URLs in fields named URL, stay byte
 * for byte: changed ones would not work.
 * @throws `invalid_response` for more than 200,000 values, which would keep other callers waiting
 */
export const visibleAnswer = (data: object): object => {
  let values = 0;
  const walk = (value: unknown, place: string): unknown => {
    values += 1;
    if (values > maxValues) throw tooLong();
    if (Array.isArray(value)) return value.map((element) => walk(element, nameBelow(place)));
    if (isObject(value)) {
      return withNames(
        Object.entries(value).map(([name, inner]) => [visibleText(name), walk(inner, nameBelow(place, name))]),
      );
    }
    if (typeof value !== 'string' || isKeyPlace(place) || isUrl(value, place)) return value;
    return visibleText(value);
  };
  return walk(data, '') as object;
};

/** Some 30,000 license codes. */
const maxValues = 200_000;
const tooLong = (): OrderLicenseError =>
  new OrderLicenseError('invalid_response', {
    detail: `The response has more than ${maxValues} values, more than this server can show`,
    advice: 'Read it with another program.',
  });

const isUrl = (value: string, name: string): boolean => /url/i.test(name) && /^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(value);
