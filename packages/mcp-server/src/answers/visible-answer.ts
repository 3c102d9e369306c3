import { isObject } from '@order-license/core/host';
import { isKeyPlace, nameBelow, withNames } from './answer-fields.ts';
import { visibleText } from './visible-text.ts';

/**
 * Copies an answer without text that is hidden from people (S-05). License keys, and URLs in fields named URL, stay byte
 * for byte: changed ones would not work.
 */
export const visibleAnswer = (data: object): object => {
  const walk = (value: unknown, place: string): unknown => {
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

const isUrl = (value: string, name: string): boolean => /url/i.test(name) && /^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(value);
