import { type MaskedCounts, maskResponse, type Shape } from '@order-license/core/masking';
import { visibleAnswer } from './visible-answer.ts';

/** The kinds of data to mask in results. */
export interface Masking {
  /** True for ORDER_LICENSE_LICENSE_KEYS=masked or app. */
  licenseKeys: boolean;
  /** True for ORDER_LICENSE_PERSONAL_DATA=masked. */
  personalData: boolean;
}

export const masksAnything = ({ licenseKeys, personalData }: Masking): boolean => licenseKeys || personalData;

/** The part of an API response that the model may see, and a note about the masked rest. */
export interface ShownAnswer {
  shown: object;
  /** Field to add to the result; empty if nothing was masked. */
  note: { masking?: MaskingNote };
}

/** A note in the result that says what is masked, and who can unmask it. */
export interface MaskingNote {
  /** The kinds of data masked in this result. */
  masked: ('license_keys' | 'personal_data' | 'other_fields')[];
  advice: string;
}

/**
 * Removes hidden text from a result, and masks what a model must not see.
 * @param documented the fields that the API docs list for this result
 * @param whoShowsKeys the note's text about license keys, if they are masked
 */
export const showAnswer = (
  data: object,
  documented: Shape,
  masking: Masking,
  whoShowsKeys = keysAdvice,
): ShownAnswer => {
  const visible = visibleAnswer(data);
  if (!masksAnything(masking)) return { shown: visible, note: {} };
  const { shown: answer, masked } = maskResponse(visible, documented, masking);
  const note = describe(masked, whoShowsKeys);
  return { shown: answer, note: note ? { masking: note } : {} };
};

const ask = 'ask the person who set up this MCP server to';

export const keysAdvice = `License keys are masked: **** stands for a key, and only long keys show their last four characters. Masked keys do not work. To get the keys, ${ask} set ORDER_LICENSE_LICENSE_KEYS=full and restart the server, or look them up in the customer account. Never guess or complete a key.`;
const personalAdvice = `Personal data is masked as ****. To see it, ${ask} set ORDER_LICENSE_PERSONAL_DATA=full and restart the server.`;
const otherAdvice =
  'Billing addresses and undocumented fields are also masked: they appear as ****, or are only counted in masked_fields. They are shown only if both ORDER_LICENSE_LICENSE_KEYS and ORDER_LICENSE_PERSONAL_DATA are full.';

const describe = (counts: MaskedCounts, whoShowsKeys: string): MaskingNote | undefined => {
  const parts = [
    ['license_keys', counts.licenseKeys, whoShowsKeys],
    ['personal_data', counts.personalData, personalAdvice],
    ['other_fields', counts.otherFields, otherAdvice],
  ] as const;
  const found = parts.filter(([, count]) => count > 0);
  if (found.length === 0) return undefined;
  return { masked: found.map(([kind]) => kind), advice: found.map(([, , advice]) => advice).join(' ') };
};
