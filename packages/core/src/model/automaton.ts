/**
 * Goes through a sequence of letters and calls `onWord` with the range of each word that ends there, the longest first,
 * until it returns true; then the shorter words that end there are skipped.
 */
export type FindWords = (letters: readonly number[], onWord: (from: number, to: number) => boolean) => void;

/**
 * A search for words, in time linear in them and in what is searched (Aho and Corasick, 1975). The words form a tree of
 * letters, in arrays, since they can have millions; node 0 is its root. The first child of a node is usually next to it.
 * @param words of UTF-16 units
 */
export const createAutomaton = (words: readonly (readonly number[])[]): FindWords => {
  const size = words.reduce((sum, { length }) => sum + length, 1);
  const parentOf = new Int32Array(size);
  const letterOf = new Uint16Array(size);
  const depthOf = new Int32Array(size);
  const branches = new Map<number, Map<number, number>>();
  /** The longest suffix of a node's letters that is a word, the node itself included; 0 for none. */
  const wordAt = new Int32Array(size);
  /** The longest proper suffix of a node's letters that is a node; -1 until a search reaches the node. */
  const suffixOf = new Int32Array(size).fill(-1, 1);

  const childOf = (parent: number, letter: number): number => {
    const next = parent + 1;
    if (parentOf[next] === parent && letterOf[next] === letter) return next;
    return branches.get(parent)?.get(letter) ?? 0;
  };

  let count = 1;
  for (const word of words) {
    let node = 0;
    for (const letter of word) {
      // A node without children yet: nothing to look up.
      const child = node + 1 === count ? 0 : childOf(node, letter);
      if (child === 0) {
        if (node + 1 < count) branches.set(node, (branches.get(node) ?? new Map<number, number>()).set(letter, count));
        parentOf[count] = node;
        letterOf[count] = letter;
        depthOf[count] = (depthOf[node] ?? 0) + 1;
        count += 1;
      }
      node = child || count - 1;
    }
    wordAt[node] = node;
  }

  const unreached: number[] = [];
  /** The longest suffix of the letters of `node` and this one that is a node. */
  const step = (node: number, letter: number): number => {
    let at = node;
    let suffix = childOf(at, letter);
    while (at > 0 && (suffix === 0 || suffixOf[suffix] === -1)) {
      if (suffix > 0) unreached.push(suffix);
      at = suffixOf[at] ?? 0;
      suffix = childOf(at, letter);
    }
    if (suffixOf[suffix] === -1) suffixOf[suffix] = 0;
    for (let longer = unreached.pop(); longer; longer = unreached.pop()) {
      suffixOf[longer] = suffix;
      wordAt[longer] ||= wordAt[suffix] ?? 0;
      suffix = longer;
    }
    return suffix;
  };

  return (letters, onWord) => {
    let node = 0;
    for (let to = 1; to <= letters.length; to++) {
      node = step(node, letters[to - 1] ?? 0);
      let word = wordAt[node] ?? 0;
      while (word > 0 && !onWord(to - (depthOf[word] ?? 0), to)) word = wordAt[suffixOf[word] ?? 0] ?? 0;
    }
  };
};
