import type { SettingName } from '../settings/settings.ts';

/**
 * Which answers of an API the packages cope with. `tests/consistency` runs them with every value of every setting; the
 * values here are those after which a caller should know something. Each sentence says what.
 */
const limits: { readonly [Name in SettingName]?: Readonly<Record<string, string>> } = {
  money: {
    number: 'Amounts stay as they are; core reads only the documented form as cents.',
    oneDigit: 'Amounts stay as they are; core reads only the documented form as cents.',
    integer: 'Amounts stay as they are; core reads only the documented form as cents.',
    comma: 'Amounts stay as they are; core reads only the documented form as cents.',
    dotComma: 'Amounts stay as they are; core reads only the documented form as cents.',
    null: 'Sums leave these orders out.',
  },
  dates: {
    zero: 'Orders without a date are in every range of dates, and a range ends only at older orders.',
    null: 'Orders without a date are in every range of dates, and a range ends only at older orders.',
  },
  ids: {
    big: 'An ID above 2^53 that is a number is rejected, because JSON.parse rounds it. Ask the shop for texts.',
    negative: 'Lists work, but a single order with a negative ID is rejected.',
  },
  httpsOnly: {
    redirect: 'Redirects are not followed. Use the https: address.',
    reject: 'Use the https: address.',
  },
  limit: { '*': 'If the limit is below 60, lower the requests per minute in each client.' },
  windowMs: { '*': 'If the window is longer than a minute, set rateLimit.windowMs.' },
  missing: { '*': 'A field that the kit depends on (IDs, orders, pages) gives an error; others may be absent.' },
  nulls: { '*': 'A field that the kit depends on (IDs, orders, pages) gives an error; others may be null.' },
  sortDate: { other: 'A walk with a range of dates reports the gap `unsorted`.' },
  totalIgnoresFilter: { on: 'Counts by status are marked as incomplete.' },
};

/** What the kit does with an answer. */
export interface Coping {
  /** `untested` if the answer equals no value of the setting. */
  kit: 'copes' | 'note' | 'untested';
  note?: string;
}

export const copingOf = (name: SettingName, value: string | undefined, isDefault: boolean): Coping => {
  if (value === undefined) return { kit: 'untested' };
  const note = isDefault ? undefined : (limits[name]?.[value] ?? limits[name]?.['*']);
  return note === undefined ? { kit: 'copes' } : { kit: 'note', note };
};
