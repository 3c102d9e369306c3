/** Order IDs as they are saved: each as the previous one minus itself, or as a string. Lists are mostly descending. */
export type SavedIds = (number | string)[];

/** Takes two or three characters of JSON per ID of a list. */
export const saveIds = (ids: Iterable<string>): SavedIds => {
  let previous = 0;
  return [...ids].map((id) => {
    const number = Number(id);
    if (!Number.isSafeInteger(number) || String(number) !== id) return id;
    const saved = previous - number;
    previous = number;
    return saved;
  });
};

export const readIds = (saved: SavedIds): string[] => {
  let previous = 0;
  return saved.map((entry) => {
    if (typeof entry === 'string') return entry;
    previous -= entry;
    return String(previous);
  });
};
