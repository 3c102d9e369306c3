/** Where a member of a JSON object stands, such as `line 3 column 5`. */
export interface MemberPlace {
  /** Names of the objects around it, outermost first. */
  path: readonly string[];
  name: string;
  place: string;
}

/**
 * The members of all objects in a valid JSON text, in the order of the text. `JSON.parse` keeps only the last of members
 * with the same name, and sorts names that are numbers first.
 */
export const findMembers = (text: string): MemberPlace[] => {
  const members: MemberPlace[] = [];
  const path: string[] = [];
  let name = '';
  for (const { 0: token, 1: colon, index } of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/gs)) {
    if (token === '{' || token === '[') path.push(name);
    else if (token === '}' || token === ']') name = path.pop() ?? '';
    else if (colon !== undefined) {
      name = JSON.parse(token.slice(0, -colon.length));
      members.push({ path: path.slice(1), name, place: placeOf(text, index) });
    }
  }
  return members;
};

/** The places of two members of one object with the same name; undefined if all names differ. */
export const findDuplicate = (members: readonly MemberPlace[]): [MemberPlace, MemberPlace] | undefined => {
  const seen = new Map<string, MemberPlace>();
  for (const member of members) {
    const id = JSON.stringify([...member.path, member.name]);
    const first = seen.get(id);
    if (first) return [first, member];
    seen.set(id, member);
  }
  return undefined;
};

const placeOf = (text: string, index: number): string => {
  const before = text.slice(0, index).split('\n');
  return `line ${before.length} column ${(before.at(-1) ?? '').length + 1}`;
};
