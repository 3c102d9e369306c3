export interface PrefixSums {
  /** @param index a whole number from 0 */
  add(index: number, amount: number): void;
  /** The sum of all amounts at indexes below `index`. */
  before(index: number): number;
}

/** Amounts by index and the sums of their first ones, in a Fenwick tree: each operation takes logarithmic time. */
export const createPrefixSums = (): PrefixSums => {
  const tree = [0];
  const read = (node: number): number => tree[node] ?? 0;
  const lowBit = (node: number): number => node & -node;

  const grow = (): void => {
    const node = tree.length;
    let sum = 0;
    for (let part = node - 1; part > node - lowBit(node); part -= lowBit(part)) sum += read(part);
    tree.push(sum);
  };

  return {
    add(index, amount) {
      while (tree.length <= index + 1) grow();
      for (let node = index + 1; node < tree.length; node += lowBit(node)) tree[node] = read(node) + amount;
    },
    before(index) {
      let sum = 0;
      for (let node = Math.min(index, tree.length - 1); node > 0; node -= lowBit(node)) sum += read(node);
      return sum;
    },
  };
};
