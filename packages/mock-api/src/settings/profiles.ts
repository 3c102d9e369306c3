import { isObject } from './check.ts';
import { type SettingName, type Settings, settingDefinitions } from './settings.ts';

export const profileNames = ['strict', 'lenient', 'adversarial'] as const;
export type ProfileName = (typeof profileNames)[number];

/**
 * What each profile changes in the defaults, which follow the API docs. `lenient` coerces types as PHP does.
 * `adversarial` tests clients: most settings have an unusual value.
 */
const profiles: Record<ProfileName, Partial<Settings>> = {
  strict: {}, // all defaults
  lenient: {
    params: 'clamp',
    unknownStatus: 'ignore',
    pageBeyondLast: 'clamp',
    emptyPages: '1',
    ineligibleCodes: 'absent',
    extraFields: 'summary',
    billing: 'emptyArray',
    invalidId: 'coerce',
    rateHeaders: 'retryAfter',
    contentType: 'bare',
    emptyText: 'null',
  },
  adversarial: {
    params: 'clamp',
    perPageMax: 7,
    unknownStatus: 'empty',
    pageBeyondLast: 'clamp',
    emptyPages: '1',
    tieBreak: 'shuffle',
    ineligibleCodes: 'null',
    extraFields: 'unknown',
    billing: 'emptyArray',
    zahlungsstatus: ['überfällig', 'teilbezahlt', 'null'],
    lieferstatus: ['null', 'in_bearbeitung', 'versendet'],
    money: 'dotComma',
    dates: 'zero',
    ids: 'big',
    invalidId: '404',
    unknownPath: 'html',
    accept: '406',
    authScheme: 'exact',
    window: 'slidingStrict',
    rateHeaders: 'draft',
    looseStatus: 'string',
    contentType: 'html',
    emptyText: 'absent',
    downloadUrls: 'relative',
    futureValues: 'on',
    compress: 'gzip',
    sortDate: 'other',
  },
};

/** Settings to change. Each value can be a string or have its own type. */
export type SettingInput = { [Name in SettingName]?: Settings[Name] | string | number | boolean | undefined };

const names = Object.keys(settingDefinitions) as SettingName[];

/**
 * Returns the settings of a profile, overridden by the given settings.
 * @throws Error that lists what is allowed
 */
export const createSettings = (profile: string = 'strict', set: Readonly<Record<string, unknown>> = {}): Settings => {
  if (!Object.hasOwn(profiles, profile)) {
    throw new Error(`there is no profile "${profile}"; the profiles are ${profileNames.join(', ')}`);
  }
  const defaults = Object.fromEntries(names.map((name) => [name, settingDefinitions[name].default])) as object;
  return changeSettings({ ...(defaults as Settings), ...profiles[profile as ProfileName] }, set);
};

/**
 * Returns the settings with some of them changed.
 * @throws Error that lists what is allowed
 */
export const changeSettings = (settings: Settings, set: Readonly<Record<string, unknown>>): Settings => {
  if (!isObject(set)) throw new Error('settings must be an object such as { "money": "number" }');
  const parsed = Object.entries(set).flatMap(([given, value]) => {
    const name = settingName(given);
    return value === undefined ? [] : [[name, settingDefinitions[name].read(name, value)]];
  });
  const changed = { ...settings, ...Object.fromEntries(parsed) } as Settings;
  rejectContradictions(changed);
  return changed;
};

const settingName = (given: string): SettingName => {
  if (Object.hasOwn(settingDefinitions, given)) return given as SettingName;
  throw new Error(`there is no setting "${given}"; the settings are ${names.join(', ')}`);
};

const rejectContradictions = (settings: Settings): void => {
  for (const name of ['zahlungsstatus', 'lieferstatus'] as const) {
    if (settings[name].length === 0) throw new Error(`${name} needs at least one value`);
  }
  const both = settings.missing.find((path) => settings.nulls.includes(path));
  if (both) throw new Error(`${both} cannot be both missing and null`);
};

/** The settings of the default profile. */
export const strictSettings: Settings = createSettings();
