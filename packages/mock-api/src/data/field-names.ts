/** Collects the names of undocumented fields, and rejects misspelt ones. */
export interface FieldNames {
  /** @param at path of the object, for errors @throws Error that names every misspelt field */
  check(at: string, given: object, documented: readonly string[]): void;
  /** Returns the fields that the API docs do not name, each once. */
  unknown(): string[];
}

export const createFieldNames = (): FieldNames => {
  const unknown = new Set<string>();
  return {
    check(at, given, documented) {
      const misspelt: string[] = [];
      for (const name of Object.keys(given)) {
        if (documented.includes(name)) continue;
        const meant = documented.find((known) => isOneLetterAway(name, known));
        if (meant === undefined) unknown.add(name);
        else misspelt.push(`"${at === '' ? '' : `${at}.`}${name}" is one letter away from "${meant}"`);
      }
      if (misspelt.length > 0) throw new Error(`${misspelt.join(', ')}; correct the spelling`);
    },
    unknown: () => [...unknown],
  };
};

/** Whether one letter added, left out or replaced makes the name. Short names such as `id` have too many neighbours. */
const isOneLetterAway = (name: string, known: string): boolean => {
  if (known.length < 4 || Math.abs(name.length - known.length) > 1) return false;
  let same = 0;
  while (same < known.length && name[same] === known[same]) same++;
  const [rest, wanted] = [name.slice(same), known.slice(same)];
  return rest.slice(1) === wanted || rest === wanted.slice(1) || rest.slice(1) === wanted.slice(1);
};
