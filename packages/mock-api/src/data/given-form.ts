import type { Json } from '../json.ts';
import { type SettingName, type Settings, settingDefinitions } from '../settings/settings.ts';

/** The settings that change the form of a field. At their defaults, an own order keeps the form it was given. */
const settingsOf = new Map<string, readonly SettingName[]>([
  ['id', ['ids']],
  ['status', []],
  ['created_at', ['dates', 'sortDate']],
  ['gesamtpreis_brutto', ['money']],
  ['waehrung', []],
  ['items', []],
  ['billing_address', ['billing']],
  ['einzelpreis_brutto', ['money']],
  ['menge', []],
  ['license_codes', ['ineligibleCodes']],
  ['code_typ', ['futureValues']],
  ['download_url_64', ['downloadUrls']],
  ['download_url_32', ['downloadUrls']],
  ['aktivierungen_bestellung', []],
]);

/**
 * Puts the given fields into what the mock made up.
 * @param except fields that are served in another way
 */
export const putGiven = (
  served: Json,
  given: Json | undefined,
  settings: Settings,
  except: readonly string[] = [],
): void => {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (except.includes(name)) continue;
    const isKept = settingsOf.get(name)?.every((setting) => settings[setting] === settingDefinitions[setting].default);
    if (isKept !== false || !Object.hasOwn(served, name)) served[name] = value;
  }
};
