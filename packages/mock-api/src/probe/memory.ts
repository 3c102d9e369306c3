import type { SettingName, Settings } from '../settings/settings.ts';

/** Returns what `make` makes of settings, or what it made of others with the same values of those it used. */
export type Remember = <Value>(key: string, settings: Settings, make: (settings: Settings) => Value) => Value;

/** Creates a memory. What is made from other remembered values uses their settings, too. */
export const createMemory = (): Remember => {
  // By key, by the names of the settings used, and by their values.
  const memory = new Map<string, Map<string, Map<string, unknown>>>();
  return <Value>(key: string, settings: Settings, make: (settings: Settings) => Value): Value => {
    const known = memory.get(key) ?? new Map<string, Map<string, unknown>>();
    for (const [names, made] of known) {
      const values = valuesOf(settings, names);
      if (made.has(values)) return made.get(values) as Value;
    }
    const used = new Set<string>();
    const get = (target: Settings, name: string) => {
      used.add(name);
      return target[name as SettingName];
    };
    const value = make(new Proxy(settings, { get: get as never }));
    const names = [...used].join();
    const made = known.get(names) ?? new Map<string, unknown>();
    memory.set(key, known.set(names, made.set(valuesOf(settings, names), value)));
    return value;
  };
};

const valuesOf = (settings: Settings, names: string): string =>
  names
    .split(',')
    .map((name) => String(settings[name as SettingName]))
    .join('|');
