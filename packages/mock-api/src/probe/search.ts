import { changeSettings } from '../settings/profiles.ts';
import { type SettingName, type Settings, settingDefinitions } from '../settings/settings.ts';
import type { AskMock } from './ask-mocks.ts';
import { likelyRules, type Timed } from './limit-rules.ts';
import type { Shape } from './shape.ts';

/** What is known about one setting. */
export interface SettingResult {
  name: SettingName;
  /** U numbers. */
  points: string;
  /** `seen`: other values would show. `notAsked`: they show with an option. */
  state: 'seen' | 'notVisible' | 'notAsked';
  /** The value of the closest mock. */
  value: string;
  /** Further values that show no difference from the service. */
  alike: string[];
}

/** What the settings are searched for. */
export interface Target {
  /** Of the service. */
  shape: Shape;
  /** Empty if it sent no 429. */
  timed: readonly Timed[];
  ask: AskMock;
}

const settingNames = Object.keys(settingDefinitions) as SettingName[];

/** Forms of the service that a mock doesn't have, and forms of the mock, of what the service shows, that it doesn't have. */
const distanceOf = (mock: Shape, service: Shape): { missing: number; extra: number } => {
  let [missing, extra] = [0, 0];
  for (const [key, { forms }] of service) {
    const own = mock.get(key)?.forms ?? new Set();
    for (const form of forms) if (!own.has(form)) missing++;
    for (const form of own) if (!forms.has(form)) extra++;
  }
  return { missing, extra };
};

type Distance = ReturnType<typeof distanceOf>;
const none: Distance = { missing: 0, extra: 0 };
const compare = (one: Distance, other: Distance): number => one.missing - other.missing || one.extra - other.extra;
const isCloser = (one: Distance, other: Distance): boolean => compare(one, other) < 0;

/** Other values to try; from the present ones, since a list can take several words. */
type Change = (settings: Settings) => Partial<Record<SettingName, unknown>>;

const usualPath = 'orders[].bestellnummer';

const changesOf = (settings: Settings, name: SettingName, service: Shape): Change[] => {
  const setting = settingDefinitions[name];
  const facts = factsIn(service);
  const all = (values: readonly unknown[]): Change[] => values.map((value) => () => ({ [name]: value }));
  switch (setting.kind) {
    case 'choice':
      return all(setting.values);
    case 'number':
      return all([setting.default, 'off', 1, ...numbersIn(service).flatMap((number) => [number, number * 1000])]);
    case 'list': {
      const present: readonly string[] = settings[name as 'missing'];
      if (!setting.words) {
        const own = facts.filter(({ what, form }) => what.endsWith(`.${name}`) && /^(null|".*")$/.test(form));
        const words = own.map(({ form }) => form.replaceAll('"', ''));
        // What an account doesn't show is no reason for other words.
        return all([setting.default, ['null'], words.every((word) => present.includes(word)) ? present : words]);
      }
      // These words are paths of fields, as facts name them. One that any service has shows as well as any other.
      const form = name === 'missing' ? 'absent' : 'null';
      const shown = facts.filter((fact) => fact.form === form).map(({ what }) => what);
      const toTry = setting.words.filter((path) => [usualPath, ...shown, ...present].includes(path));
      return toTry.map((path) => (from) => ({ [name]: toggled(from[name as 'missing'], path) }));
    }
    case 'text':
      return [];
  }
};

const toggled = (words: readonly string[], word: string): readonly string[] =>
  words.includes(word) ? words.filter((one) => one !== word) : [...words, word];

/** Each form on its own, by what has it. */
const factsIn = (shape: Shape) =>
  [...shape.values()].flatMap(({ what, forms }) => [...forms].map((form) => ({ what, form })));

/** Numbers such as 20 or `q=60`. */
const numbersIn = (service: Shape): number[] => {
  const facts = factsIn(service).filter(({ what }) => what !== 'status');
  return [...new Set(facts.flatMap(({ form }) => /^(?:\w=)?(\d+)$/.exec(form)?.[1] ?? []))].map(Number);
};

/** `undefined` if the values contradict each other, are not allowed or change nothing. */
const changedBy = (settings: Settings, change: Change): Settings | undefined => {
  try {
    const changed = changeSettings(settings, change(settings));
    return settingNames.every((name) => String(changed[name]) === String(settings[name])) ? undefined : changed;
  } catch {
    return undefined;
  }
};

/** Two are usual. A search without success ends. */
const maxSweeps = 8;

/** Searches the settings whose mock comes closest to the service, one change after the other. */
export const searchSettings = (start: Settings, { shape, timed, ask }: Target): Settings => {
  const rules = likelyRules(timed, numbersIn(shape)).map((rule) => () => rule);
  const single = settingNames.filter((name) => rules.length === 0 || !['window', 'windowMs', 'limit'].includes(name));
  const distanceTo = (settings: Settings): Distance => distanceOf(ask(settings), shape);
  let best = start;
  for (let sweep = 0; sweep < maxSweeps; sweep++) {
    const least = distanceTo(best);
    const changes = [...single.flatMap((name) => changesOf(best, name, shape)), ...rules];
    const good = changes
      .flatMap((change) => {
        const changed = changedBy(best, change);
        const distance = changed && distanceTo(changed);
        return distance && isCloser(distance, least) ? [{ change, distance }] : [];
      })
      .sort((one, other) => compare(one.distance, other.distance));
    for (const { change } of good) {
      const changed = changedBy(best, change);
      if (changed && isCloser(distanceTo(changed), distanceTo(best))) best = changed;
    }
    if (good.length === 0 || compare(distanceTo(best), none) === 0) break;
  }
  return best;
};

/** Says which settings show in the responses, and which values they can have. @param unasked a mock asked the rest */
export const describeSettings = (best: Settings, { shape, ask }: Target, unasked: AskMock): SettingResult[] => {
  const least = distanceOf(ask(best), shape);
  return settingNames.map((name) => {
    const { points, default: standard } = settingDefinitions[name];
    const others = changesOf(best, name, shape).flatMap((change) => changedBy(best, change) ?? []);
    const alike = others.filter((changed) => compare(distanceOf(ask(changed), shape), least) <= 0);
    const isSeen = String(best[name]) !== String(standard) || alike.length < others.length;
    const isElsewhere = others.some((changed) => compare(distanceOf(unasked(changed), unasked(best)), none) > 0);
    const state = isSeen ? 'seen' : isElsewhere ? 'notAsked' : 'notVisible';
    return { name, points, state, value: String(best[name]), alike: alike.map((changed) => String(changed[name])) };
  });
};
