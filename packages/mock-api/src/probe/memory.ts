import type { SettingName, Settings } from '../settings/settings.ts';

/** Returns what `make` makes of settings, or what it made of others with the same values of those it used. */
export type Remember = <Value>(key: string, settings: Settings, make: (settings: Settings) => Value) => Value;

/** Creates a memory. What is made from other remembered values uses their settings, too. */
export const createMemory = (): Remember => {
  const memory = new Map<string, Map<string, { names: readonly SettingName[]; made: Map<string, unknown> }>>();
  return <Value>(key: string, settings: Settings, make: (settings: Settings) => Value): Value => {
    const known = memory.get(key) ?? new Map();
    memory.set(key, known);
    for (const { names, made } of known.values()) {
      const values = valuesOf(settings, names);
      if (made.has(values)) return made.get(values);
    }
    const used = new Set<SettingName>();
    const get = (target: Settings, name: SettingName) => {
      used.add(name);
      return target[name];
    };
    const value = make(new Proxy(settings, { get: get as ProxyHandler<Settings>['get'] & object }));
    const names = [...used];
    const same = known.get(names.join()) ?? { names, made: new Map() };
    known.set(names.join(), same);
    same.made.set(valuesOf(settings, names), value);
    return value;
  };
};

const valuesOf = (settings: Settings, names: readonly SettingName[]): string =>
  names.map((name) => String(settings[name])).join('|');
