/** Time spans in ms since 1970, such as outages. */
export interface Intervals {
  /** Starts a span, which lasts until `end` is called. Spans can overlap. */
  begin(): void;
  end(): void;
  /** Returns how much of the time between `from` and `to` lies outside all spans, ms. */
  outside(from: number, to: number): number;
}

export const createIntervals = (): Intervals => {
  const ended: [number, number][] = [];
  let depth = 0;
  let since = 0;
  return {
    begin() {
      if (depth++ === 0) since = Date.now();
    },
    end() {
      if (--depth === 0) ended.push([since, Date.now()]);
    },
    outside(from, to) {
      const all = depth > 0 ? [...ended, [since, to] as const] : ended;
      const inside = all.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(b, to) - Math.max(a, from)), 0);
      return to - from - inside;
    },
  };
};
