import { isObject } from '@order-license/core/host';
import { type MaskedKind, marker, maskResponse, type Shape } from '@order-license/core/masking';
import type { Call } from '../client/one-call.ts';

/** The kinds of data to mask in results. */
export interface Masking {
  /** True for ORDER_LICENSE_LICENSE_KEYS=masked or app. */
  licenseKeys: boolean;
  /** True for ORDER_LICENSE_PERSONAL_DATA=masked. */
  personalData: boolean;
}

export const masksAnything = ({ licenseKeys, personalData }: Masking): boolean => licenseKeys || personalData;

/** A note in the result that says what is masked, and who can unmask it. */
interface MaskingNote {
  masked: ('license_keys' | 'personal_data' | 'other_fields')[];
  advice: string;
}

/**
 * Removes hidden text from a result, and masks what a model must not see.
 * @param documented the fields that the API docs list for this result
 * @param beside other data of the API, whose license keys are masked as well
 */
export const showAnswer = <Data extends object>(
  data: Data,
  documented: Shape,
  masking: Masking,
  beside?: object,
): { shown: Data; masked: Iterable<MaskedKind> } => {
  const visible = visibleAnswer(data);
  const answer = masksAnything(masking) ? maskResponse(visible, documented, masking, beside) : undefined;
  return { shown: (answer?.shown ?? visible) as Data, masked: answer?.masked ?? [] };
};

const ask = 'ask the person who set up this MCP server to';

export const keysAdvice = `License keys are masked: ${marker} stands for a key, and only long keys show their last four characters. Masked keys do not work. To get the keys, ${ask} set ORDER_LICENSE_LICENSE_KEYS=full and restart the server, or look them up in the customer account. Never guess or complete a key.`;
const personalAdvice = `Personal data is masked as ${marker}. To see it, ${ask} set ORDER_LICENSE_PERSONAL_DATA=full and restart the server.`;
const otherAdvice = `Billing addresses and undocumented fields are also masked: they appear as ${marker}, or are only counted in masked_fields. They are shown only if both ORDER_LICENSE_LICENSE_KEYS and ORDER_LICENSE_PERSONAL_DATA are full.`;

/**
 * Says what is masked in a result.
 * @param whoShowsKeys the note's text about license keys
 */
export const maskingNote = (masked: ReadonlySet<MaskedKind>, whoShowsKeys: string): MaskingNote => {
  const parts = [
    ['licenseKeys', 'license_keys', whoShowsKeys],
    ['personalData', 'personal_data', personalAdvice],
    ['otherFields', 'other_fields', otherAdvice],
  ] as const;
  const found = parts.filter(([kind]) => masked.has(kind));
  return { masked: found.map(([, name]) => name), advice: found.map(([, , advice]) => advice).join(' ') };
};

/**
 * Returns the part of these orders that a model may see.
 * @param beside other orders, whose license keys are hidden as well
 */
export const showAll = <One extends object>(orders: readonly One[], { show }: Call, beside?: object): One[] =>
  show({ orders: [...orders] }, beside).orders;

/**
 * Copies a result without text that is hidden from people (S-05). License keys, and URLs in fields whose name contains
 * `url`, stay unchanged, because they would not work otherwise.
 */
export const visibleAnswer = (data: object): object => {
  const walk = (value: unknown, place: string): unknown => {
    if (Array.isArray(value)) return value.map((element) => walk(element, nameBelow(place)));
    if (isObject(value)) {
      const entries = Object.entries(value);
      return Object.fromEntries(
        entries.map(([name, inner]) => [visibleName(name), walk(inner, nameBelow(place, name))]),
      );
    }
    if (typeof value !== 'string' || isKeyPlace(place) || isUrl(value, place)) return value;
    return visibleText(value);
  };
  return walk(data, '') as object;
};

const isUrl = (value: string, name: string): boolean => /url/i.test(name) && /^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(value);

/**
 * Returns the place of a value: the name of the nearest field that contains the value. Element numbers are not names,
 * although PHP writes them as field names if a list has gaps. The place of everything inside a license key is the key
 * itself.
 */
const nameBelow = (name: string, key = '0'): string => (isLicenseKey(name) || /^\d{1,12}$/.test(key) ? name : key);

/** Whether a string in this place is a license key. Every string in the list of codes is one. */
const isKeyPlace = (name: string): boolean => isLicenseKey(name) || /^license_?codes$/i.test(name);

const isLicenseKey = (name: string): boolean => /^license_?key$/i.test(name);

/** The flags of England, Scotland and Wales: a black flag, tag characters, and the tag that ends them. */
const tagFlag = String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`;
/** One emoji, with an optional skin tone, or an optional selector for color or text style. */
const emoji = String.raw`\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\uFE0E\uFE0F])?`;
const keycap = String.raw`[0-9#*]\uFE0F(?=\u20E3)`;
/**
 * A Chinese character with one of the selectors U+FE00 to U+FE02, which choose a variant. The 240 selectors from
 * U+E0100 on are removed, because they can spell any text.
 */
const ideograph = String.raw`\p{Unified_Ideograph}[\uFE00-\uFE02]`;
const kept = String.raw`${tagFlag}|${emoji}(?:\u200D${emoji})*|${keycap}|${ideograph}`;

const lineBreak = String.raw`[\v\f\u0085\u2028\u2029]`;
/**
 * Characters that are visible although Unicode calls them format characters: signs around Arabic, Syriac and Kaithi
 * numbers.
 */
const visibleFormat = String.raw`\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}`;
const invisible = String.raw`(?:(?![\t\n\v\f\r\u0085${visibleFormat}])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}])+`;
const parts = new RegExp(`(${kept})|(${lineBreak})|${invisible}`, 'gu');

/**
 * Returns the text as people see it, without invisible characters: control, bidi, zero-width and tag characters,
 * fillers and stray variation selectors. Emoji sequences and variants of Chinese characters stay whole. Ordinary line
 * breaks and tabs stay; other kinds of line breaks become `\n`.
 */
export const visibleText = (text: string): string =>
  text.replace(parts, (_, whole?: string, otherBreak?: string) => whole ?? (otherBreak ? '\n' : ''));

/** Returns a field name with its hidden characters spelled out, so that different names stay different. */
const visibleName = (name: string): string =>
  name.replace(parts, (part, whole?: string) => whole ?? part.replace(/./gsu, spellOut));

const spellOut = (char: string): string => `\\u{${char.codePointAt(0)?.toString(16)}}`;
