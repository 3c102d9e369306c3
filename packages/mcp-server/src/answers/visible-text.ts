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
export const visibleName = (name: string): string =>
  name.replace(parts, (part, whole?: string) => whole ?? part.replace(/./gsu, spellOut));

const spellOut = (char: string): string => `\\u{${char.codePointAt(0)?.toString(16)}}`;
