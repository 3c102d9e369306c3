/**
 * Parses the text of a JSON file.
 * @param at name of the file, for errors
 * @throws Error with line and column, but without the text, which can contain keys
 */
export const parseJson = (text: string, at: string): unknown => parse(text, at);

/**
 * Like `parseJson`, but keeps the digits of numbers that a double would change, such as `1.50` or one of twenty digits:
 * they become `JSON.rawJSON` values.
 */
export const parseExactJson = (text: string, at: string): unknown =>
  parse(text, at, keepNumber as Parameters<typeof JSON.parse>[1]);

const parse = (text: string, at: string, reviver?: Parameters<typeof JSON.parse>[1]): unknown => {
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    const problem = findProblem(text);
    if (!problem) throw error;
    const before = text.slice(0, problem.offset).split('\n');
    const column = (before.at(-1) as string).length + 1;
    throw new Error(`${at}, line ${before.length}, column ${column}: ${problem.expected} is expected; it is not JSON`);
  }
};

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

const keepNumber = (_: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && context.source !== String(value)
    ? rawJSON(context.source)
    : value;

/** Returns the first position where a text isn't JSON (RFC 8259), and what is expected there. */
const findProblem = (text: string): { offset: number; expected: string } | undefined => {
  const open: ('{' | '[')[] = [];
  let at = 0;
  let next: 'value' | 'name' | 'colon' | 'comma' = 'value';
  let mayClose = false;
  const take = (token: RegExp): boolean => {
    token.lastIndex = at;
    const isThere = token.test(text);
    if (isThere) at = token.lastIndex;
    return isThere;
  };
  const missing = (expected: string) => ({ offset: at, expected });
  for (;;) {
    take(/[ \t\n\r]*/y);
    const closing = open.at(-1) === '{' ? '}' : ']';
    if ((mayClose || next === 'comma') && open.length > 0 && text[at] === closing) {
      at++;
      open.pop();
      next = 'comma';
      mayClose = false;
      continue;
    }
    mayClose = false;
    if (next === 'comma') {
      if (open.length === 0) return at < text.length ? missing('the end') : undefined;
      if (!take(/,/y)) return missing(`a comma or ${closing}`);
      next = closing === '}' ? 'name' : 'value';
    } else if (next === 'name') {
      if (!take(stringToken)) return missing('a name in double quotes');
      next = 'colon';
    } else if (next === 'colon') {
      if (!take(/:/y)) return missing('a colon');
      next = 'value';
    } else if (take(/[[{]/y)) {
      open.push(text[at - 1] as '{' | '[');
      next = text[at - 1] === '{' ? 'name' : 'value';
      mayClose = true;
    } else if (take(stringToken) || take(scalarToken)) next = 'comma';
    else return missing('a value');
  }
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in a string
const stringToken = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const scalarToken = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
