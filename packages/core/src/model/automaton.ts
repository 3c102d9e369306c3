/**
 * Finds words in a sequence of letters.
 * @param isWanted whether the word found from one index to another, exclusive, counts
 * @returns the ranges covered by words that count, in order; overlapping ones as one
 */
export type FindWords = (
  letters: readonly number[],
  isWanted: (from: number, to: number) => boolean,
) => [from: number, to: number][];

/**
 * A search for words, in time linear in them and in what is searched (Aho and Corasick, 1975).
 * @param words of UTF-16 units; none may be empty
 */
export const createAutomaton = (words: readonly (readonly number[])[]): FindWords => {
  const { size, childOf, depthOf, isWord } = createTree(words);
  /** The longest proper suffix of a node's letters that is a node; -1 until a search reaches the node. */
  const suffixOf = new Int32Array(size).fill(-1);
  suffixOf[0] = 0;
  /** The longest suffix of a node's letters that is a word, the node itself included; 0 for none. */
  const wordAt = new Int32Array(size);

  /** The longest suffix with this letter after it that is a node. Searches have reached all suffixes of `node`. */
  const step = (node: number, letter: number): number => {
    let at = node;
    let child = childOf(at, letter);
    while (child === 0 && at > 0) {
      at = suffixOf[at] ?? 0;
      child = childOf(at, letter);
    }
    if (suffixOf[child] === -1) reach(child, at, letter);
    return child;
  };
  /** Finds the suffix of this node, and of those suffixes that no search has reached before. */
  const reach = (node: number, parent: number, letter: number): void => {
    const unreached: number[] = [];
    let suffix = node;
    for (let at = parent; suffixOf[suffix] === -1; ) {
      unreached.push(suffix);
      do {
        at = at > 0 ? (suffixOf[at] ?? 0) : -1;
        suffix = at < 0 ? 0 : childOf(at, letter);
      } while (suffix === 0 && at >= 0);
    }
    for (let last = unreached.pop(); last !== undefined; last = unreached.pop()) {
      suffixOf[last] = suffix;
      wordAt[last] = isWord[last] ? last : (wordAt[suffix] ?? 0);
      suffix = last;
    }
  };

  return (letters, isWanted) => {
    const found: [from: number, to: number][] = [];
    let node = 0;
    for (let to = 1; to <= letters.length; to++) {
      node = step(node, letters[to - 1] ?? 0);
      let word = wordAt[node] ?? 0;
      while (word > 0 && !isWanted(to - (depthOf[word] ?? 0), to)) word = wordAt[suffixOf[word] ?? 0] ?? 0;
      if (word === 0) continue;
      let from = to - (depthOf[word] ?? 0);
      for (let last = found.at(-1); last && last[1] > from; last = found.at(-1)) {
        from = Math.min(from, last[0]);
        found.pop();
      }
      found.push([from, to]);
    }
    return found;
  };
};

/**
 * The words as a tree of letters, in arrays, since they can have millions. Node 0 is the root. The first child of a node
 * is usually next to it; a hash table has the others, at most one for each word.
 */
const createTree = (words: readonly (readonly number[])[]) => {
  const size = words.reduce((sum, { length }) => sum + length, 1);
  const parentOf = new Int32Array(size);
  const letterOf = new Uint16Array(size);
  const depthOf = new Int32Array(size);
  const isWord = new Uint8Array(size);
  const table = new Int32Array(2 ** Math.ceil(Math.log2(2 * words.length + 2)));

  const isChild = (node: number, parent: number, letter: number): boolean =>
    parentOf[node] === parent && letterOf[node] === letter;
  const slotOf = (parent: number, letter: number): number => {
    const hash = Math.imul(Math.imul(parent, 0x9e3779b1) ^ letter, 0x85ebca6b);
    let slot = hash ^ (hash >>> 15);
    while (table[slot & (table.length - 1)] && !isChild(table[slot & (table.length - 1)] ?? 0, parent, letter)) slot++;
    return slot & (table.length - 1);
  };
  /** 0 if there is none */
  const childOf = (parent: number, letter: number): number =>
    isChild(parent + 1, parent, letter) ? parent + 1 : (table[slotOf(parent, letter)] ?? 0);

  let count = 1;
  for (const word of words) {
    let node = 0;
    let depth = 0;
    for (let child = childOf(0, word[0] ?? 0); child > 0; child = childOf(node, word[depth] ?? 0)) {
      node = child;
      depth += 1;
    }
    if (depth < word.length && node + 1 !== count) table[slotOf(node, word[depth] ?? 0)] = count;
    for (; depth < word.length; count++) {
      parentOf[count] = node;
      letterOf[count] = word[depth] ?? 0;
      depth += 1;
      depthOf[count] = depth;
      node = count;
    }
    isWord[node] = 1;
  }
  return { size, childOf, depthOf, isWord };
};
