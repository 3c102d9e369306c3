import type { SettingName, Settings } from '../settings/settings.ts';
import { settingDefinitions } from '../settings/settings.ts';
import type { MockFacts } from './ask-mock.ts';
import { type Candidate, candidatesFor, changedBy, settingNames } from './candidates.ts';
import type { FactGroup } from './groups.ts';

/** The facts of the service by group. */
export type ServiceFacts = ReadonlyMap<FactGroup, ReadonlySet<string>>;

/** How far a mock is from the service. */
interface Distance {
  /** Facts of the service that the mock doesn't have. */
  missing: number;
  /** Facts of the mock, about what the service shows, that the service doesn't have. */
  extra: number;
}

/** "what: how" without "how". */
export const subjectOf = (fact: string): string => fact.slice(0, fact.indexOf(': '));

/** The facts of the service that a mock doesn't have. */
export const missingFrom = (mock: MockFacts, service: ServiceFacts, group: FactGroup): string[] => {
  const facts = mock.of(group);
  return [...(service.get(group) ?? [])].filter((fact) => !facts.has(fact));
};

/** A search ends here, as it may not come close: some 1 s of CPU. */
const maxSent = 9_000;

/** Searches the settings whose mock comes closest: one change after the other, and several at once where one is too few. */
export const searchSettings = (start: MockFacts, service: ServiceFacts): MockFacts => {
  let best = start;
  for (;;) {
    const next = bestChanges(best, service) ?? bestDetour(best, service);
    if (!next) return best;
    best = next;
  }
};

const distances = new WeakMap<ReadonlySet<string>, Distance>();

const distanceIn = (mock: MockFacts, service: ServiceFacts, group: FactGroup): Distance => {
  const facts = mock.of(group);
  const known = distances.get(facts);
  if (known) return known;
  const wanted = service.get(group) ?? new Set();
  const subjects = new Set([...wanted].map(subjectOf));
  const extra = [...facts].filter((fact) => !wanted.has(fact) && subjects.has(subjectOf(fact))).length;
  const distance = { missing: missingFrom(mock, service, group).length, extra };
  distances.set(facts, distance);
  return distance;
};

const distanceOf = (mock: MockFacts, service: ServiceFacts, groups: Iterable<FactGroup> = service.keys()): Distance => {
  const distance = { missing: 0, extra: 0 };
  for (const group of groups) {
    const { missing, extra } = distanceIn(mock, service, group);
    distance.missing += missing;
    distance.extra += extra;
  }
  return distance;
};

const compare = (one: Distance, other: Distance): number => one.missing - other.missing || one.extra - other.extra;
const isCloser = (one: Distance, other: Distance): boolean => compare(one, other) < 0;

const differingGroups = (mock: MockFacts, service: ServiceFacts): FactGroup[] =>
  [...service.keys()].filter((group) => {
    const { missing, extra } = distanceIn(mock, service, group);
    return missing + extra > 0;
  });

/** The settings that groups with a difference depend on, each with its other values. */
const changes = (mock: MockFacts, service: ServiceFacts, differing: readonly FactGroup[]): Candidate[] => {
  const shown = {
    facts: differing.flatMap((group) => [...(service.get(group) ?? [])]),
    missing: [] as string[],
    numbers: [] as number[],
    differences: [] as number[],
  };
  for (const group of differing) {
    const own = new Map([...mock.of(group)].map((fact) => [subjectOf(fact), fact]));
    for (const fact of missingFrom(mock, service, group)) {
      const [wanted, has] = [numbersIn(fact), numbersIn(own.get(subjectOf(fact)) ?? '')];
      shown.missing.push(fact);
      shown.numbers.push(...wanted);
      shown.differences.push(...wanted.flatMap((number, n) => (has[n] === undefined ? [] : [number - has[n]])));
    }
  }
  return settingNames
    .filter((name) => differing.some((group) => mock.readFor(group).has(name)))
    .flatMap((name) => candidatesFor(mock.settings, name, shown))
    .sort((one, other) => Number(isGuess(one)) - Number(isGuess(other)));
};

/** Numbers come last, since listed values such as `off` say more. */
const isGuess = ({ name, settings }: Candidate): boolean => typeof settings[name] === 'number';

const numbersIn = (fact: string): number[] =>
  /status: /.test(fact) ? [] : (fact.slice(fact.indexOf(': ')).match(/(?<=: |and )\d+/g) ?? []).map(Number);

/** The changes that come closer to the service, each alone, the closest first. @param except a setting to keep */
const goodChanges = (mock: MockFacts, service: ServiceFacts, except?: SettingName): Candidate[] => {
  const least = distanceOf(mock, service);
  const differing = differingGroups(mock, service);
  const good: (Candidate & { distance: Distance })[] = [];
  for (const { name, settings } of changes(mock, service, differing)) {
    if (name === except || mock.sent() > maxSent) continue;
    const changed = mock.with(settings);
    // The other groups can only get worse.
    if (!isCloser(distanceOf(changed, service, differing), least)) continue;
    const distance = distanceOf(changed, service);
    // What an account doesn't show is no reason for a longer list.
    const isReason = settingDefinitions[name].kind === 'choice' || distance.missing < least.missing;
    if (isReason && isCloser(distance, least)) good.push({ name, settings, distance });
  }
  return good.sort((one, other) => compare(one.distance, other.distance));
};

/** The mock with the best change, and with those further ones that come closer still. */
const bestChanges = (mock: MockFacts, service: ServiceFacts, except?: SettingName): MockFacts | undefined => {
  const [first, ...others] = goodChanges(mock, service, except);
  if (!first) return undefined;
  let best = mock.with(first.settings);
  for (const { name, settings } of others) {
    const both = changedBy(best.settings, name, withMore(best.settings, name, settings));
    const changed = both && mock.with(both);
    if (changed && isCloser(distanceOf(changed, service), distanceOf(best, service))) best = changed;
  }
  return best;
};

/** The value of a setting in `further`; fields to leave out are added to those that are left out already. */
const withMore = (settings: Settings, name: SettingName, further: Settings): unknown =>
  name === 'missing' || name === 'nulls' ? [...new Set([...settings[name], ...further[name]])] : further[name];

const maxDetour = 4;
/** Further away, detours lead nowhere. */
const maxMissing = 32;

/** A change that alone comes no closer, but changes what differs, with the changes that make up for it. */
const bestDetour = (mock: MockFacts, service: ServiceFacts): MockFacts | undefined => {
  const limit = distanceOf(mock, service);
  if (limit.missing === 0 || limit.missing > maxMissing) return undefined;
  const differing = differingGroups(mock, service);
  for (const { name, settings } of changes(mock, service, differing)) {
    if (mock.sent() > maxSent) return undefined;
    const first = mock.with(settings);
    const isGood = isGuess({ name, settings }) ? isGroupCloser : isTouched;
    if (!differing.some((group) => isGood(mock, first, service, group))) continue;
    let changed = bestChanges(first, service, name);
    for (let steps = 1; changed && steps < maxDetour; steps++) {
      if (distanceOf(changed, service).missing < limit.missing) return changed;
      changed = bestChanges(changed, service, name);
    }
  }
  return undefined;
};

const isGroupCloser = (mock: MockFacts, changed: MockFacts, service: ServiceFacts, group: FactGroup): boolean =>
  isCloser(distanceIn(changed, service, group), distanceIn(mock, service, group));

const isTouched = (mock: MockFacts, changed: MockFacts, service: ServiceFacts, group: FactGroup): boolean => {
  const subjects = new Set(missingFrom(mock, service, group).map(subjectOf));
  return [...changed.of(group)].some((fact) => subjects.has(subjectOf(fact)) && !mock.of(group).has(fact));
};

/** What to try where the values of a setting can't be listed: does the smallest number show? */
const anything = { facts: [], numbers: [1], differences: [] };

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

/** Says which settings show in the responses, and which values they can have. */
export const describeSettings = (
  mock: MockFacts,
  service: ServiceFacts,
  unasked: readonly FactGroup[],
): SettingResult[] =>
  settingNames.map((name) => {
    const { points, kind, default: standard } = settingDefinitions[name];
    const value = textOf(mock.settings, name);
    // One word of a list shows as well as all of them.
    const others = candidatesFor(mock.settings, name, anything).slice(0, kind === 'list' ? 1 : undefined);
    const alike = others.filter(({ settings }) => {
      const changed = mock.with(settings);
      return [...service.keys()].every((group) => {
        return !mock.readFor(group).has(name) || isNoFurther(changed, mock, service, group);
      });
    });
    const isSeen = value !== String(standard) || alike.length < others.length;
    const isDifferent = ({ settings }: Candidate) =>
      unasked.some((group) => {
        if (!mock.readFor(group).has(name)) return false;
        const facts = mock.with(settings).of(group);
        return facts.size !== mock.of(group).size || [...facts].some((fact) => !mock.of(group).has(fact));
      });
    const state = isSeen ? 'seen' : others.some(isDifferent) ? 'notAsked' : 'notVisible';
    return { name, points, state, value, alike: alike.map(({ settings }) => textOf(settings, name)) };
  });

const isNoFurther = (changed: MockFacts, mock: MockFacts, service: ServiceFacts, group: FactGroup): boolean =>
  distanceIn(changed, service, group).missing <= distanceIn(mock, service, group).missing;

/** A value as the command line takes it. */
export const textOf = (settings: Settings, name: SettingName): string => String(settings[name]);
