import { type Json, textOf } from '../settings/json.ts';
import { type CompleteOrder, type Item, idBelow } from './complete-order.ts';
import { isEligible } from './order.ts';
import { mix, word } from './random.ts';

/** The inputs that license keys are computed from. */
export interface KeySource {
  seed: number;
  /** Prefix of every license key, so that tests can search for leaks. */
  licenseKeyPrefix: string;
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
export const downloadOrigin = 'https://downloads.example.test';

/** Returns the delivered codes of each item (§2.6). Empty unless the order is paid or completed (§4.3.1). */
export const codesOf = (source: KeySource, order: CompleteOrder): Json[][] => {
  let left = isEligible(order.status) ? order.delivered : 0;
  let serial = 0;
  return order.items.map((item) => {
    const first = serial;
    const count = Math.min(left, item.codeCount);
    left -= count;
    serial += item.codeCount;
    return Array.from({ length: count }, (_, n) => codeOf(source, order.id, item, first + n, n));
  });
};

/**
 * @param n the code's index in its item
 * @param serial the code's index in the order
 */
const codeOf = (source: KeySource, orderId: number, item: Item, serial: number, n: number): Json => {
  const { fields, codeType = 'retail', downloads, activations, codes } = item;
  // `all` cycles through the four combinations of download URLs.
  const combination = { both: 3, only64: 2, only32: 1, none: 0, all: 3 - (n % 4) }[downloads];
  const file = `${downloadOrigin}/${orderId}/${textOf(fields.id)}`;
  return {
    id: idBelow(orderId, 1024) + serial,
    license_key: source.licenseKeyPrefix + keyText(source.seed, orderId, codeType, serial),
    code_typ: codeType,
    download_url_64: combination & 2 ? `${file}/setup-x64.exe` : null,
    download_url_32: combination & 1 ? `${file}/setup-x86.exe` : null,
    aktivierungen_bestellung: activations,
    ...codes[n],
  };
};

/**
 * The key formats contain text that breaks careless clients: spaces, an e-mail address with a password, a leading `=`,
 * Unicode.
 */
const keyText = (seed: number, orderId: number, codeType: string, serial: number): string => {
  const block = (n: number, size = 5) => word(alphabet, size, mix(seed, 77, n), orderId, serial);
  if (codeType === 'account') return `nutzer${block(0, 4).toLowerCase()}@konto.example.test:${block(1, 12)}`;
  if (codeType === 'abo') return `ABO ${block(0, 4)} ${block(1, 4)} ${block(2, 4)} ${block(3, 4)}`;
  if (codeType === 'volumen' && serial % 3 === 2) return `=${block(0)}-Ünïcode-密钥-${block(1)}`;
  return [0, 1, 2, 3, 4].map((n) => block(n)).join('-');
};
