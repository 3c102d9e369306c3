import { type MaskedKind as CoreKind, marker, maskResponse, type Shape } from '@order-license/core/masking';
import type { MaskedKind } from '../read/call.ts';
import { visibleAnswer } from './visible-answer.ts';

/** The kinds of data to mask in results. */
export interface Masking {
  /** True for ORDER_LICENSE_LICENSE_KEYS=masked or app. */
  licenseKeys: boolean;
  /** True for ORDER_LICENSE_PERSONAL_DATA=masked. */
  personalData: boolean;
}

export const masksAnything = ({ licenseKeys, personalData }: Masking): boolean => licenseKeys || personalData;

/** The part of an API response that the model may see, and the kinds of data masked in it. */
export interface ShownAnswer {
  shown: object;
  masked: readonly MaskedKind[];
}

/** A note in the result that says what is masked, and who can unmask it. */
export interface MaskingNote {
  /** The kinds of data masked in this result. */
  masked: MaskedKind[];
  advice: string;
}

/**
 * Removes hidden text from a result, and masks what a model must not see.
 * @param documented the fields that the API docs list for this result
 * @param beside other data of the API, whose license keys are masked as well
 */
export const showAnswer = (data: object, documented: Shape, masking: Masking, beside?: object): ShownAnswer => {
  const visible = visibleAnswer(data);
  if (!masksAnything(masking)) return { shown: visible, masked: [] };
  const { shown, masked } = maskResponse(visible, documented, masking, beside);
  return { shown, masked: Array.from(masked, (kind) => kinds[kind]) };
};

const ask = 'ask the person who set up this MCP server to';

export const keysAdvice = `License keys are masked: ${marker} stands for a key, and only long keys show their last four characters. Masked keys do not work. To get the keys, ${ask} set ORDER_LICENSE_LICENSE_KEYS=full and restart the server, or look them up in the customer account. Never guess or complete a key.`;
const personalAdvice = `Personal data is masked as ${marker}. To see it, ${ask} set ORDER_LICENSE_PERSONAL_DATA=full and restart the server.`;
const otherAdvice = `Billing addresses and undocumented fields are also masked: they appear as ${marker}, or are only counted in masked_fields. They are shown only if both ORDER_LICENSE_LICENSE_KEYS and ORDER_LICENSE_PERSONAL_DATA are full.`;

const kinds: Record<CoreKind, MaskedKind> = {
  licenseKeys: 'license_keys',
  personalData: 'personal_data',
  otherFields: 'other_fields',
};

/**
 * Returns the field to add to a result in which these kinds of data are masked; empty if nothing is masked.
 * @param whoShowsKeys the note's text about license keys
 */
export const maskingNote = (masked: ReadonlySet<MaskedKind>, whoShowsKeys: string): { masking?: MaskingNote } => {
  const parts = [
    ['license_keys', whoShowsKeys],
    ['personal_data', personalAdvice],
    ['other_fields', otherAdvice],
  ] as const;
  const found = parts.filter(([kind]) => masked.has(kind));
  if (found.length === 0) return {};
  return {
    masking: { masked: found.map(([kind]) => kind), advice: found.map(([, advice]) => advice).join(' ') },
  };
};
