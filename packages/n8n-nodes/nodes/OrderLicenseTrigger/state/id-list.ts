/** IDs as they are saved: whole numbers as differences from one to the next in ascending order, any other ID as text. */
export type SavedIds = (number | string)[];

/** Some two characters of JSON for each ID of a dense range, four or five where a shop has thousands in between. */
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
