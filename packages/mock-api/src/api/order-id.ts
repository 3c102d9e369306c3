import { rawJSON } from '../settings/json.ts';
import type { Settings } from '../settings/settings.ts';

/** Added to every order ID if the setting `ids` is `big`. Above 2^53, a double cannot tell adjacent IDs apart. */
const bigBase = 36_028_797_018_963_968n;

/** Formats an order ID according to the setting `ids` (U-25), for JSON.stringify. */
export const writeId = (id: number, style: Settings['ids']): unknown => {
  if (style === 'safe') return id;
  if (style === 'string') return String(id);
  return style === 'negative' ? -id : rawJSON(String(bigBase + BigInt(id)));
};

/**
 * Reads an order ID from a path segment, whether or not the order exists.
 * @returns `undefined` if the segment isn't an integer
 */
export const readId = (segment: string, settings: Settings): number | undefined => {
  let text: string;
  try {
    text = decodeURIComponent(segment);
  } catch {
    return undefined;
  }
  if (settings.invalidId === 'coerce') text = /^\s*([+-]?\d+)/.exec(text)?.[1] ?? '0';
  if (!/^-?\d+$/.test(text)) return undefined;
  const id = BigInt(text);
  if (settings.ids === 'big') return Number(id - bigBase);
  return Number(settings.ids === 'negative' ? -id : id);
};
