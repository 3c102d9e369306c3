import type { Settings } from '../settings/settings.ts';

/** A value, and the settings that it was made from. */
export interface Entry {
  value: unknown;
  reads: ReadonlySet<string>;
}

/** Remembers what was made from settings, and finds it for settings that have the same values where it matters. */
export const createMemory = () => {
  const byNames = new Map<string, { names: string[]; entries: Map<string, Entry> }>();
  return {
    find(settings: Settings): Entry | undefined {
      for (const { names, entries } of byNames.values()) {
        const entry = entries.get(valuesOf(settings, names));
        if (entry) return entry;
      }
      return undefined;
    },
    keep(settings: Settings, entry: Entry): Entry {
      const names = [...entry.reads];
      const known = byNames.get(names.join()) ?? { names, entries: new Map<string, Entry>() };
      byNames.set(names.join(), known);
      known.entries.set(valuesOf(settings, names), entry);
      return entry;
    },
  };
};

const valuesOf = (settings: Settings, names: readonly string[]): string =>
  names.map((name) => String(settings[name as keyof Settings])).join('|');
