/** Where a value stands: the nearest name above it, and whether that is below `license_codes`. */
export interface Place {
  name: string;
  inCodes: boolean;
}

export const top: Place = { name: '', inCodes: false };

/** The number of an element, which PHP writes as a name when they have gaps, names nothing. */
export const below = ({ name, inCodes }: Place, key = '0'): Place => ({
  name: isKey(name) || /^\d{1,12}$/.test(key) ? name : key,
  inCodes: inCodes || isCodeList(name),
});

/** Whether a value is a license key, text that could be one, or neither. */
export const roleOf = (value: unknown, { name, inCodes }: Place): 'key' | 'unknown' | 'plain' => {
  if (value === null || value === undefined || value === '') return 'plain';
  if (isKey(name) || isCodeList(name)) return 'key';
  const isNamed = isDownloadUrl(name) || /^(id|code_typ|aktivierungen_bestellung)$/.test(name);
  return inCodes && typeof value === 'string' && !isNamed ? 'unknown' : 'plain';
};

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export const isKey = (name: string): boolean => /^license_?key$/i.test(name);
const isCodeList = (name: string): boolean => /^license_?codes$/i.test(name);
export const isDownloadUrl = (name: string): boolean => /^download_url/i.test(name);

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
