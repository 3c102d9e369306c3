import { readFileSync } from 'node:fs';

/**
 * Returns the size of a process's resident set, MiB; undefined if the process has ended or the system does not report
 * it.
 */
export const residentMiB = (pid: number): number | undefined => {
  try {
    const [, kB] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kB === undefined ? undefined : Number(kB) / 1024;
  } catch {
    return undefined;
  }
};

export interface Memory {
  name: string;
  pid: number;
  /** The resident set at each measurement, MiB. */
  samples: number[];
}

/**
 * Growth after the warm-up, MiB: the median of the last third minus the median of the second third. Returns 0 for fewer
 * than nine samples, which are too few to be significant.
 */
export const growth = ({ samples }: Memory): number => {
  const third = Math.floor(samples.length / 3);
  if (third < 3) return 0;
  return median(samples.slice(-third)) - median(samples.slice(third, 2 * third));
};

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
