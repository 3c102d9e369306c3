/** All that a value shows by any of the usual ways of looking at it. */
export const everythingOf = (value: unknown, depth = 0): string => {
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth > 5) return '';
  const isError = value instanceof Error;
  const text = isError || depth === 0 ? `${isError ? value.stack : ''} ${JSON.stringify(value)}` : '';
  const fields = Reflect.ownKeys(value).map(
    (key) => `${String(key)}: ${everythingOf(Reflect.get(value, key), depth + 1)}`,
  );
  return [text, ...fields].join('\n');
};
