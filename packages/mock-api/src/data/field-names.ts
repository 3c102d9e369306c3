/**
 * Checks the names of given fields: unknown ones are served as they are, but misspelt ones are rejected.
 * @param at path of the object, for errors
 * @param unknown receives the fields that the API docs do not name
 * @throws Error that names every misspelt field
 */
export const checkNames = (at: string, given: object, documented: readonly string[], unknown: Set<string>): void => {
  const misspelt = Object.keys(given).flatMap((name) => {
    if (documented.includes(name)) return [];
    const meant = documented.find((known) => isOneLetterAway(name, known));
    if (meant !== undefined) return `"${at === '' ? '' : `${at}.`}${name}" is one letter away from "${meant}"`;
    unknown.add(name);
    return [];
  });
  if (misspelt.length > 0) throw new Error(`${misspelt.join(', ')}; correct the spelling`);
};

/** Whether one letter added, left out or replaced makes the name. Short names such as `id` have too many neighbours. */
const isOneLetterAway = (name: string, known: string): boolean => {
  if (known.length < 4 || Math.abs(name.length - known.length) > 1) return false;
  let same = 0;
  while (same < known.length && name[same] === known[same]) same++;
  const [rest, wanted] = [name.slice(same), known.slice(same)];
  return rest.slice(1) === wanted || rest === wanted.slice(1) || rest.slice(1) === wanted.slice(1);
};
