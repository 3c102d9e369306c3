import { isKeyPlace, isObject, nameBelow, withNames } from './answer-fields.ts';
import { visibleText } from './visible-text.ts';

/**
 * A copy of an answer in which no text hides anything from people (S-05). License keys stay byte for byte, as do
 * addresses in fields that are called URL: a changed one would not work.
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
