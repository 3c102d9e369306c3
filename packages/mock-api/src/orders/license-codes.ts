import { textOf } from '../settings/json.ts';
import { mix } from './random.ts';

/** The inputs that license keys are computed from. */
export interface KeySource {
  seed: number;
  /** Prefix of every generated license key, so that tests can search for leaks. */
  licenseKeyPrefix: string;
}

/** The inputs of a license code. */
export interface CodeDraft {
  id: number;
  source: KeySource;
  orderId: number;
  /** The served ID of the item. */
  itemId: unknown;
  codeType: string;
  /** The code's index in the order. */
  serial: number;
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
export const downloadOrigin = 'https://downloads.example.test';

/** The download URLs that the codes of an item lack, by its `downloads`. */
export const missingUrls = {
  both: {},
  only64: { download_url_32: null },
  only32: { download_url_64: null },
  none: { download_url_64: null, download_url_32: null },
};

/** Makes a download URL. */
export const urlOf = ({ orderId, itemId }: CodeDraft, file: 'x64' | 'x86'): string =>
  `${downloadOrigin}/${orderId}/${textOf(itemId)}/setup-${file}.exe`;

/**
 * Makes a license key. Its formats contain text that breaks careless clients: spaces, an e-mail address with a password,
 * a leading `=`, Unicode.
 */
export const keyText = (draft: CodeDraft): string => draft.source.licenseKeyPrefix + keyOf(draft);

const keyOf = (draft: CodeDraft): string => {
  const { codeType, serial } = draft;
  if (codeType === 'account')
    return `nutzer${block(draft, 0, 4).toLowerCase()}@konto.example.test:${block(draft, 1, 12)}`;
  if (codeType === 'abo') return `ABO ${[0, 1, 2, 3].map((n) => block(draft, n, 4)).join(' ')}`;
  if (codeType === 'volumen' && serial % 3 === 2) return `=${block(draft, 0)}-Ünïcode-密钥-${block(draft, 1)}`;
  return [0, 1, 2, 3, 4].map((n) => block(draft, n)).join('-');
};

const block = ({ source, orderId, serial }: CodeDraft, n: number, size = 5): string => {
  const seed = mix(source.seed, 77, n);
  let text = '';
  for (let i = 0; i < size; i++) text += alphabet[mix(seed + i, orderId, serial) % alphabet.length];
  return text;
};
