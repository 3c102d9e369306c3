import { createSettings, type SettingInput } from '../settings/profiles.ts';
import { type SettingName, settingDefinitions } from '../settings/settings.ts';
import { createAskMock, over429 } from './ask-mock.ts';
import { type Exchange, isOverLimit } from './exchange.ts';
import { type Facts, factsOf, hint, type Stated, statedIn } from './facts.ts';
import { type Coping, copingOf } from './kit.ts';
import { countedIn, replay } from './limit.ts';
import type { ShowWord } from './shown-words.ts';

/** What the API does about an open question, and the mock's setting for it. */
export interface Point extends Coping {
  /** The U-numbers that the setting covers, such as `U-05`. */
  points: string;
  setting: SettingName;
  /** The value with which the mock answers most like the API; absent if no value does. */
  value?: string;
  /** Other values that answer the same questions in the same way. */
  alike: string[];
  /** What the API does, each as `place: forms`. */
  service: string[];
}

/** A place where a mock with all found settings still answers differently. */
export interface Difference {
  place: string;
  service: string[];
  mock: string[];
}

export interface Comparison {
  points: Point[];
  /** The settings whose values the responses don't show. */
  notShown: SettingName[];
  /** The found values that aren't the defaults. */
  set: Record<string, string>;
  differences: Difference[];
}

/** The settings of the limit come last, since the number of requests decides which window can be seen. */
const ofLimit: readonly SettingName[] = ['limit', 'window', 'windowMs'];
const names = (Object.keys(settingDefinitions) as SettingName[])
  .filter((name) => !ofLimit.includes(name))
  .concat(ofLimit);
const usualSeconds = [30, 20, 15, 10, 5, 1, 90, 120, 300, 600, 900, 1800, 3600];

/**
 * Puts the API's questions to mocks: for each setting, one for each value of this one setting.
 * @param exchanges the API's responses
 */
export const compare = async (exchanges: readonly Exchange[], secure: boolean, show: ShowWord): Promise<Comparison> => {
  const counted = countedIn(exchanges);
  const stated = statedIn(exchanges);
  const rejection = exchanges.find(isOverLimit);
  const compared = exchanges.filter(({ question, status }) => question.group !== 'rateLimit' && status !== 429);
  if (rejection) compared.push({ ...rejection, question: over429 });
  const service = factsOf(compared, counted, stated, show);
  const askMock = createAskMock(compared, secure);
  const asked = new Map<string, Promise<Exchange[]>>();
  const factsFor = async (set: SettingInput): Promise<Facts> => {
    const { limit, window, windowMs, ...others } = set;
    const key = JSON.stringify(others);
    const answers = asked.get(key) ?? askMock(others);
    asked.set(key, answers);
    const settings = createSettings('strict', set);
    const shown = Object.fromEntries(Object.keys(stated).map((name) => [name, settings[name as keyof Stated]]));
    return factsOf(await answers, replay(settings, counted), shown, show);
  };

  const strict = await factsFor({});
  const points: Point[] = [];
  const notShown: SettingName[] = [];
  let found: SettingInput = {};
  for (const name of names) {
    const values = candidatesOf(name, service, strict, stated, counted);
    const mocks: { value: string; facts: Facts }[] = [];
    for (const value of values) mocks.push({ value, facts: await factsFor({ ...found, [name]: value }) });
    const kindsAt = (place: string): number => new Set(mocks.map(({ facts }) => formsAt(facts, place).join())).size;
    const places = [...service.keys()]
      .map((place) => ({ place, kinds: kindsAt(place) }))
      .filter(({ kinds }) => kinds > 1)
      // The place that tells most values apart says best what the API does.
      .sort((one, other) => other.kinds - one.kinds)
      .map(({ place }) => place);
    if (places.length === 0) {
      notShown.push(name);
      continue;
    }
    const scored = mocks.map(({ value, facts }) => ({
      value,
      score: places.filter((place) => fits(service, facts, place)).length,
    }));
    const most = Math.max(...scored.map(({ score }) => score));
    const [best, ...alike] = most === 0 ? [] : scored.filter(({ score }) => score === most).map(({ value }) => value);
    const isDefault = best === String(settingDefinitions[name].default);
    if (best !== undefined && !isDefault) found = { ...found, [name]: best };
    points.push({
      points: settingDefinitions[name].points,
      setting: name,
      ...(best !== undefined && { value: best }),
      alike,
      service: places
        .filter((place) => !place.startsWith(hint))
        .map((place) => `${place}: ${formsAt(service, place).join(' or ')}`),
      ...copingOf(name, best, isDefault),
    });
  }
  const mock = await factsFor(found);
  const differences = [...service.keys()]
    .filter((place) => !place.startsWith(hint) && !fits(service, mock, place))
    .map((place) => ({ place, service: formsAt(service, place), mock: formsAt(mock, place) }));
  return { points, notShown, set: found as Record<string, string>, differences };
};

const formsAt = (facts: Facts, place: string): string[] => [...(facts.get(place) ?? [])].sort();

/** Whether a mock shows everything at a place that the API shows there. The API's account may show less. */
const fits = (service: Facts, mock: Facts, place: string): boolean => {
  const forms = mock.get(place);
  return forms !== undefined && [...(service.get(place) ?? [])].every((form) => forms.has(form));
};

/** Returns the values of a setting that the API may have, the default first. */
const candidatesOf = (
  name: SettingName,
  service: Facts,
  strict: Facts,
  stated: Stated,
  counted: readonly { at: number; rejected: boolean }[],
): string[] => {
  const setting = settingDefinitions[name];
  const standard = String(setting.default);
  const or = (...values: unknown[]): string[] => [
    ...new Set([standard, ...values.filter((value) => value !== undefined && value !== '').map(String)]),
  ];
  if (setting.kind === 'choice') return [...setting.values];
  if (name === 'limit') {
    const first = counted.find(({ rejected }) => rejected);
    const accepted =
      first && counted.filter(({ at, rejected }) => !rejected && at < first.at && at > first.at - 60_000).length;
    return or('off', stated.limit, accepted || undefined);
  }
  if (name === 'windowMs') return or(stated.windowMs, ...usualSeconds.map((seconds) => seconds * 1000));
  if (name === 'perPageMax')
    return or(
      ...formsAt(service, 'GET /orders?page=1&per_page=50: per_page').filter(
        (size) => Number(size) >= 1 && Number(size) <= 50,
      ),
    );
  if (name === 'missing' || name === 'nulls')
    return or(pathsWith(name === 'missing' ? 'missing' : 'null', service, strict).join());
  if (setting.kind !== 'list') return [standard];
  const wordOf = (status: string, ...others: unknown[]): string | undefined =>
    formsAt(service, `${hint}${name} if ${status}`)
      .map((form) => form.replaceAll('"', ''))
      .find((form) => /^[\p{L}_-]+$/u.test(form) && !others.includes(form));
  const [open, done] = [wordOf('ausstehend'), wordOf('abgeschlossen')];
  const words =
    name === 'zahlungsstatus'
      ? [open, wordOf('bezahlt') ?? done, wordOf('storniert')]
      : [open, wordOf('bezahlt', open, done), done];
  return or('null', words.map((word, n) => word ?? setting.default[n]).join());
};

/** Returns the fields that have a form in the API's responses, but not in those of the strict mock. */
const pathsWith = (form: string, service: Facts, strict: Facts): string[] => {
  const paths = [...service.keys()]
    .filter((place) => service.get(place)?.has(form) && strict.has(place) && !strict.get(place)?.has(form))
    .map((place) => place.replace(' of an unpaid order', ''));
  return [...new Set(paths)].filter((path) => settingDefinitions.missing.words?.includes(path));
};
