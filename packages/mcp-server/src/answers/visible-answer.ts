import { isObject } from '@order-license/core/host';
import { maxValues, tooLong } from '../read/values.ts';
import { visibleName, visibleText } from './visible-text.ts';

/**
 * Copies a result without text that is hidden from people (S-05). License keys, and URLs in fields whose name contains
 * `url`, stay unchanged, because they would not work otherwise.
 * @throws `invalid_response` for more than 200,000 values, which would keep other callers waiting
 */
export const visibleAnswer = (data: object): object => {
  let values = 0;
  const walk = (value: unknown, place: string): unknown => {
    values += 1;
    if (values > maxValues) throw tooLong();
    if (Array.isArray(value)) return value.map((element) => walk(element, nameBelow(place)));
    if (isObject(value)) {
      const entries = Object.entries(value);
      return Object.fromEntries(
        entries.map(([name, inner]) => [visibleName(name), walk(inner, nameBelow(place, name))]),
      );
    }
    if (typeof value !== 'string' || isKeyPlace(place) || isUrl(value, place)) return value;
    return visibleText(value);
  };
  return walk(data, '') as object;
};

const isUrl = (value: string, name: string): boolean => /url/i.test(name) && /^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(value);

/**
 * Returns the place of a value: the name of the nearest field that contains the value. Element numbers are not names,
 * although PHP writes them as field names if a list has gaps. The place of everything inside a license key is the key
 * itself.
 */
const nameBelow = (name: string, key = '0'): string => (isLicenseKey(name) || /^\d{1,12}$/.test(key) ? name : key);

/** Whether a string in this place is a license key. Every string in the list of codes is one. */
const isKeyPlace = (name: string): boolean => isLicenseKey(name) || /^license_?codes$/i.test(name);

const isLicenseKey = (name: string): boolean => /^license_?key$/i.test(name);
