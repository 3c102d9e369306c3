/** The position of a JSON object's member, such as `line 3 column 5`. */
export interface MemberPlace {
  /** Names of the objects around it, outermost first. */
  path: readonly string[];
  /** The number of its object, which differs between list elements. */
  object: number;
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
  const objects: number[] = [];
  const placeOf = placesOf(text);
  let opened = 0;
  let name = '';
  for (const { 0: token, 1: colon, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/gs)) {
    if (token === '{' || token === '[') {
      path.push(name);
      objects.push(opened++);
    } else if (token === '}' || token === ']') {
      name = path.pop() ?? '';
      objects.pop();
    } else if (colon !== undefined) {
      name = JSON.parse(token.slice(0, -colon.length));
      members.push({ path: path.slice(1), object: objects.at(-1) ?? 0, name, place: placeOf(index) });
    }
  }
  return members;
};

/** The places of two members of one object with the same name; undefined if all names differ. */
export const findDuplicate = (members: readonly MemberPlace[]): [MemberPlace, MemberPlace] | undefined => {
  const seen = new Map<string, MemberPlace>();
  for (const member of members) {
    const id = `${member.object} ${member.name}`;
    const first = seen.get(id);
    if (first) return [first, member];
    seen.set(id, member);
  }
  return undefined;
};

/** Reads the text once, so the indexes must ascend. */
const placesOf = (text: string): ((index: number) => string) => {
  let line = 1;
  let lineStart = 0;
  let lineEnd = text.indexOf('\n');
  return (index) => {
    for (; lineEnd !== -1 && lineEnd < index; lineEnd = text.indexOf('\n', lineStart)) {
      line += 1;
      lineStart = lineEnd + 1;
    }
    return `line ${line} column ${index - lineStart + 1}`;
  };
};
