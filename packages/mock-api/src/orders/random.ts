/** Hashes three integers to a uniform unsigned 32-bit number. */
export const mix = (seed: number, a: number, b: number): number => {
  let h = seed ^ Math.imul(a + 0x9e3779b1, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h ^= Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
};

/** Returns the hash as a fraction in [0, 1). */
export const fraction = (seed: number, a: number, b: number): number => mix(seed, a, b) / 0x1_0000_0000;
