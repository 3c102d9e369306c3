/** IDs as they are saved: integers as differences in ascending order, others as strings. */
export type SavedIds = (number | string)[];

/** Takes about two characters of JSON per ID in a dense range, four or five with thousands of IDs in between. */
export const saveIds = (ids: Iterable<string>): SavedIds => {
  const numbers: number[] = [];
  const texts: string[] = [];
  for (const id of ids) {
    const number = Number(id);
    if (Number.isSafeInteger(number) && number >= 0 && String(number) === id) numbers.push(number);
    else texts.push(id);
  }
  numbers.sort((one, other) => one - other);
  return [...numbers.map((number, index) => number - (numbers[index - 1] ?? 0)), ...texts];
};

export const readIds = (saved: SavedIds): string[] => {
  let number = 0;
  return saved.map((entry) => {
    if (typeof entry === 'string') return entry;
    number += entry;
    return String(number);
  });
};
