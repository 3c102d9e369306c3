/**
 * The place of a value: the nearest field name above it. Element numbers don't count, even as the field names that PHP
 * writes for lists with gaps. Everything below a license key has the same place.
 */
export const nameBelow = (name: string, key = '0'): string =>
  isLicenseKey(name) || /^\d{1,12}$/.test(key) ? name : key;

/** Whether a string in this place is a license key; every string in the list of codes is. */
export const isKeyPlace = (name: string): boolean => isLicenseKey(name) || /^license_?codes$/i.test(name);

const isLicenseKey = (name: string): boolean => /^license_?key$/i.test(name);

/** Builds an object; names that became equal get a number. */
export const withNames = (entries: [name: string, value: unknown][]): object => {
  const taken = new Set<string>();
  /** Where to look for the next free number of a name: from 2 each time, many equal names would take long. */
  const next = new Map<string, number>();
  return Object.fromEntries(
    entries.map(([name, value]) => {
      let free = name;
      for (let number = next.get(name) ?? 2; taken.has(free); number++) {
        free = `${name} ${number}`;
        next.set(name, number + 1);
      }
      taken.add(free);
      return [free, value];
    }),
  );
};
