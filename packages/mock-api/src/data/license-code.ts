import { isEligible, type LicenseCode, type Line, type Order } from './order.ts';
import type { CodeType } from './products.ts';
import { mix, word } from './random.ts';

/** Inputs for computing license keys. */
export interface KeySource {
  seed: number;
  /** Prefix of every license key, so that tests can search for leaks. */
  licenseKeyPrefix: string;
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
export const downloadOrigin = 'https://downloads.example.test';

/**
 * Returns the delivered codes of each line, in line order.
 * Empty unless the order is paid or completed (§4.3.1).
 */
export const codesOf = (source: KeySource, order: Order): LicenseCode[][] => {
  let left = isEligible(order.status) ? order.delivered : 0;
  let serial = 0;
  return order.lines.map((line) => {
    const count = Math.min(left, line.codeCount);
    left -= count;
    const codes = Array.from({ length: count }, (_, n) => {
      const code = codeOf(source, order, line, serial + n, n);
      const given = line.codes?.[n];
      return given ? { ...code, given } : code;
    });
    serial += line.codeCount;
    return codes;
  });
};

const codeOf = (source: KeySource, order: Order, line: Line, serial: number, n: number): LicenseCode => {
  const codeType = line.codeType ?? 'retail';
  const [has64, has32] = downloadsOf(line, n);
  const file = `${downloadOrigin}/${order.id}/${line.id}`;
  return {
    id: order.id * 1024 + serial,
    licenseKey: source.licenseKeyPrefix + keyText(source.seed, order, codeType, serial),
    codeType,
    download64: has64 ? `${file}/setup-x64.exe` : null,
    download32: has32 ? `${file}/setup-x86.exe` : null,
    activations: line.activations,
  };
};

/** `all` cycles through the four combinations. */
const downloadsOf = (line: Line, n: number): [boolean, boolean] => {
  const combination = { both: 3, only64: 2, only32: 1, none: 0, all: 3 - (n % 4) }[line.downloads];
  return [(combination & 2) !== 0, (combination & 1) !== 0];
};

const keyText = (seed: number, order: Order, codeType: CodeType, serial: number): string => {
  const block = (n: number, size = 5) => word(alphabet, size, mix(seed, 77, n), order.id, serial);
  if (codeType === 'account') return `nutzer${block(0, 4).toLowerCase()}@konto.example.test:${block(1, 12)}`;
  if (codeType === 'abo') return `ABO ${block(0, 4)} ${block(1, 4)} ${block(2, 4)} ${block(3, 4)}`;
  if (codeType === 'volumen' && serial % 3 === 2) return `=${block(0)}-Ünïcode-密钥-${block(1)}`;
  return [block(0), block(1), block(2), block(3), block(4)].join('-');
};
