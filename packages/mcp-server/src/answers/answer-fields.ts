/**
 * Where a value stands: the nearest name above it. The number of an element, which PHP writes as a name where there are
 * gaps, names nothing; below a license key all is one.
 */
export const nameBelow = (name: string, key = '0'): string =>
  isLicenseKey(name) || /^\d{1,12}$/.test(key) ? name : key;

/** Whether a text that stands there is a license key; in the list of codes every text is. */
export const isKeyPlace = (name: string): boolean => isLicenseKey(name) || /^license_?codes$/i.test(name);

const isLicenseKey = (name: string): boolean => /^license_?key$/i.test(name);

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An object in which names that became the same keep their values apart, by a number. */
export const withNames = (entries: [name: string, value: unknown][]): object => {
  const taken = new Set<string>();
  return Object.fromEntries(
    entries.map(([name, value]) => {
      let free = name;
      for (let i = 2; taken.has(free); i++) free = `${name} ${i}`;
      taken.add(free);
      return [free, value];
    }),
  );
};
