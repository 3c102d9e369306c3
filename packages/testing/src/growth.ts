/** Number of runs for each size. The shortest run counts, because other work on the machine only makes runs longer. */
const rounds = 15;
/** Several doublings, so that an input that no longer fits into a processor cache changes the average little. */
const doublings = 3;

/**
 * Returns how many times more CPU time a task takes for twice the input: about 2 if its work grows linearly, 4 if it
 * grows with the square of the input. This is the average of three doublings.
 * @param size number of elements of the smallest input, with which the task takes about a millisecond
 * @param prepare makes the input, which is not measured, and returns the task
 */
export const growth = async (
  size: number,
  prepare: (size: number) => (() => unknown) | Promise<() => unknown>,
): Promise<number> => {
  const measure = async (size: number): Promise<number> => {
    const task = await prepare(size);
    const before = process.cpuUsage();
    await task();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round++) {
    small = Math.min(small, await measure(size));
    large = Math.min(large, await measure(size * 2 ** doublings));
  }
  return (large / small) ** (1 / doublings);
};
