import { type SettingName, settingDefinitions } from '../settings/settings.ts';

/** Shown for a response that matches no value of a setting. */
export const another = 'a form that neither the API docs nor the mock has';

const notAddedUp = 'Amounts stay as they are. Sums leave these orders out, and toMinorUnits rejects such amounts.';
const withoutDate = 'Orders without a date are part of every walk with a date range; totals() leaves them out.';
const anyText = 'The kit passes on any text. Set the words that your shop uses.';
const dependsOn = 'The kit rejects a response without a field that it depends on (IDs, orders, pages).';

/**
 * What a caller should know about one value of a setting, or about all values but the default. The packages are tested
 * with each choice of each setting, and with samples of its numbers and words (`tests/consistency`), so they cope with
 * every value without a note.
 */
const notes: { readonly [Key in SettingName | `${SettingName}=${string}`]?: string } = {
  'money=number': 'Amounts sent as numbers are added if they have at most 15 digits; toMinorUnits rejects them.',
  'money=oneDigit': notAddedUp,
  'money=integer': notAddedUp,
  'money=comma': notAddedUp,
  'money=dotComma': notAddedUp,
  'money=null': 'Sums leave these orders out.',
  'dates=zero': withoutDate,
  'dates=null': withoutDate,
  'ids=big':
    'An ID above 2^53 that is a number is rejected, because JSON.parse rounds it. Ask the shop to send IDs as strings.',
  'ids=negative': 'Lists work, but a single order with a negative ID is rejected.',
  zahlungsstatus: anyText,
  lieferstatus: anyText,
  httpsOnly: 'The kit follows no redirects. Use the https: address.',
  limit: 'If the limit is below 60, lower the requests per minute in each client.',
  windowMs: 'If the window is longer than a minute, set rateLimit.windowMs.',
  missing: dependsOn,
  nulls: dependsOn,
  sortDate: 'A walk with a date range reports the gap `unsorted`.',
  totalIgnoresFilter: 'countByStatus fails, and says to use totals.',
};

/** Says whether the kit copes with all these values of a setting, and what a caller should know. */
export const notesOn = (name: SettingName, values: readonly string[]): string => {
  const standard = String(settingDefinitions[name].default);
  const found = values.flatMap((value) => {
    if (value === another) return 'The kit is not tested with this.';
    return notes[`${name}=${value}`] ?? (value === standard ? undefined : notes[name]) ?? [];
  });
  return [...new Set(found)].join(' ') || 'The kit copes.';
};
