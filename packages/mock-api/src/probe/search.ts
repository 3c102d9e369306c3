import { changeSettings, createSettings } from '../settings/profiles.ts';
import { type SettingName, type Settings, settingDefinitions } from '../settings/settings.ts';
import { type Facts, formsAt, maxNumbers, placeOf } from './facts.ts';
import { hasWords } from './form.ts';
import { likelyRules, type Timed, usualSeconds } from './limit.ts';

/** The result for one setting. */
export interface SettingResult {
  name: SettingName;
  /** The U-numbers of the setting, separated by spaces. */
  points: string;
  /** `seen` if the responses rule out at least one value of the setting, or show a value other than the default. */
  state: 'seen' | 'notVisible';
  /** The setting's value in the closest mock. */
  value: string;
  /** Other values with which the mock is equally close to the API. */
  alike: string[];
}

const settingNames = Object.keys(settingDefinitions) as SettingName[];

/** Maximum number of rounds over all settings; two are usual. */
const maxSweeps = 8;

/**
 * Searches for the settings whose mock is closest to the API, one change at a time. Returns, for each setting, whether
 * the responses show it, and which values fit.
 * @param timed the requests that show the rate limit, as returned by `timesOf`
 */
export const searchSettings = (
  service: Facts,
  timed: readonly Timed[],
  ask: (settings: Settings) => Facts,
): SettingResult[] => {
  const places = new Set([...service].map(placeOf));
  /** Counts the facts that a mock lacks. */
  const missingIn = (mock: Facts): number => [...service].filter((fact) => !mock.has(fact)).length;
  // The distance is mainly the number of facts that the mock lacks. If mocks lack equally many, the number of facts
  // that only the mock has decides, but only for subjects and places that the API's facts also have.
  const distanceTo = (settings: Settings): number => {
    const mock = ask(settings);
    const extra = [...mock].filter((fact) => !service.has(fact) && places.has(placeOf(fact)));
    return missingIn(mock) * 1_000_000 + extra.length;
  };
  const rules = likelyRules(timed, numbersIn(service, inLimitHeaders)).map((rule) => () => rule);
  const single = settingNames.filter((name) => rules.length === 0 || !['window', 'windowMs', 'limit'].includes(name));
  let best = createSettings();
  let least = distanceTo(best);
  for (let sweep = 0, before = Number.POSITIVE_INFINITY; sweep < maxSweeps && least < before; sweep++) {
    before = least;
    for (const change of [...single.flatMap((name) => changesOf(best, name, service, timed)), ...rules]) {
      const changed = changedBy(best, change);
      const distance = changed ? distanceTo(changed) : least;
      if (changed && distance < least) [best, least] = [changed, distance];
    }
  }
  // A later change can make an earlier one superfluous. Words are superfluous, too, if an account lacks only some of the
  // default ones, since it may have no such orders.
  for (const name of settingNames) {
    const simpler = changedBy(best, () => ({ [name]: settingDefinitions[name].default }));
    if (!simpler) continue;
    const isEqual = hasWords(name)
      ? missingIn(ask(simpler)) <= missingIn(ask(best))
      : distanceTo(simpler) <= distanceTo(best);
    if (isEqual) best = simpler;
  }
  least = distanceTo(best);

  return settingNames.map((name) => {
    const { points, default: standard } = settingDefinitions[name];
    const others = changesOf(best, name, service, timed).flatMap((change) => changedBy(best, change) ?? []);
    const alike = others.filter((changed) => distanceTo(changed) <= least);
    const isSeen = String(best[name]) !== String(standard) || alike.length < others.length;
    const state = isSeen ? 'seen' : 'notVisible';
    return { name, points, state, value: String(best[name]), alike: alike.map((changed) => String(changed[name])) };
  });
};

/** An API with more words takes too long, and no mock shows as many. */
const maxWords = 12;

/** Returns other values to try. They depend on the current settings, since a list can hold several words. */
type Change = (settings: Settings) => Partial<Record<SettingName, unknown>>;

const usualPath = 'orders[].bestellnummer';

const changesOf = (settings: Settings, name: SettingName, service: Facts, timed: readonly Timed[]): Change[] => {
  const setting = settingDefinitions[name];
  const all = (values: readonly unknown[]): Change[] => values.map((value) => () => ({ [name]: value }));
  if (setting.kind === 'text') return [];
  if (setting.kind === 'choice') return all(setting.values);
  if (setting.kind !== 'list') return all([setting.default, 'off', ...numbersFor(name, service, timed)]);
  const present = settings[name as 'missing'];
  if (!setting.words) {
    const forms = formsAt(service, `orders[].${name}\nlist entries`);
    const words = forms.filter((form) => /^(null|".*")$/.test(form)).map((form) => form.replaceAll('"', ''));
    const replaced = words.slice(0, maxWords).flatMap((word) =>
      setting.default.map((_, place) => (from: Settings) => {
        const before = from[name as 'missing'];
        return { [name]: setting.default.map((_, n) => (n === place ? word : before[n % before.length])) };
      }),
    );
    // If the account shows no further words, there is no reason to try others.
    const isUsual = words.every((word) => setting.default.includes(word));
    return [...all([setting.default, ['null']]), ...(isUsual ? [] : replaced)];
  }
  // These words are paths of fields, as facts name them. `usualPath`, a field that every API has, stands for all fields
  // that are neither absent nor null.
  const form = name === 'missing' ? 'absent' : 'null';
  const shown = [...service].filter((fact) => fact.endsWith(`\n${form}`)).map((fact) => fact.split('\n')[0]);
  return setting.words
    .filter((path) => [usualPath, ...shown, ...present].includes(path))
    .map((path) => (from) => {
      const words = from[name as 'missing'];
      return { [name]: words.includes(path) ? words.filter((one) => one !== path) : [...words, path] };
    });
};

/** Returns the numbers to try for a setting. */
const numbersFor = (name: SettingName, service: Facts, timed: readonly Timed[]): number[] => {
  const shown = numbersIn(service, inLimitHeaders);
  if (name === 'windowMs') return [...usualSeconds, ...shown].map((seconds) => seconds * 1000);
  if (name !== 'limit') return numbersIn(service, inPagination);
  // A limit that the probe did not reach is possible, too.
  return timed.length > 0 ? [...shown, timed.length + 1] : shown;
};

const inLimitHeaders = /^(?:x-)?ratelimit.*\n.*\n(?:\w=)?(\d+)$/;
const inPagination = /^per_page\n.*\n(\d+)$/;

/** Returns the first `maxNumbers` numbers that `place` captures in the facts, such as 20 or the 60 in `q=60`. */
const numbersIn = (service: Facts, place: RegExp): number[] => {
  const found = [...service].flatMap((fact) => place.exec(fact)?.[1] ?? []);
  return [...new Set(found)].slice(0, maxNumbers).map(Number);
};

/** Returns the changed settings; `undefined` if the values contradict each other, are not allowed or change nothing. */
const changedBy = (settings: Settings, change: Change): Settings | undefined => {
  try {
    const changed = changeSettings(settings, change(settings));
    return settingNames.every((name) => String(changed[name]) === String(settings[name])) ? undefined : changed;
  } catch {
    return undefined;
  }
};
