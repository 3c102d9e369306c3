/** A table that represents a list of objects: the one form in which results list orders, items, codes and sums. */
export interface Table {
  /** Fields that are the same in every row. */
  same?: Record<string, unknown>;
  /** Names of the values in a row. */
  columns: string[];
  rows: unknown[][];
}

/** Fields that identify a row; they are never moved to `same`. */
const keyFields = ['id', 'bestellnummer', 'license_key'];

/** Converts objects to a table. A field that an object lacks is null in its row. */
export const tableOf = (objects: readonly object[]): Table => {
  const isKey = ([name]: readonly [string, unknown]): boolean => keyFields.includes(name);
  const shared = new Map(objects.length < 2 ? [] : sharedFields(objects).filter((field) => !isKey(field)));
  const columns = [...new Set(objects.flatMap(Object.keys))].filter((name) => !shared.has(name));
  return {
    ...(shared.size > 0 && { same: Object.fromEntries(shared) }),
    columns,
    rows: objects.map((object) => columns.map((name) => fieldOf(object, name) ?? null)),
  };
};

/** Returns the fields that all objects have with the same value. */
const sharedFields = (objects: readonly object[]): [string, unknown][] =>
  Object.entries(objects[0] ?? {}).filter(([name, value]) => {
    const text = JSON.stringify(value);
    return objects.every((object) => Object.hasOwn(object, name) && JSON.stringify(fieldOf(object, name)) === text);
  });

const fieldOf = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name as keyof object] : undefined;
