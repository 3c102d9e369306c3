import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate and its private key, in PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

const tag = { integer: 2, bits: 3, octets: 4, oid: 6, text: 12, time: 23, sequence: 48, set: 49 };
const oid = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  basicConstraints: '551d13',
  keyUsage: '551d0f',
  subjectAltName: '551d11',
};

/**
 * Creates a self-signed certificate for localhost and 127.0.0.1 that a client can trust as its CA (X.509 v3, RFC 5280).
 * @param now ms since 1970; the certificate is valid from a day before to a year after
 * @param more additional names and addresses
 */
export const selfSigned = (now: number, more: readonly string[] = []): Certificate => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(der(tag.oid, Buffer.from(oid.ecdsaWithSha256, 'hex')));
  const name = sequence(
    der(
      tag.set,
      sequence(der(tag.oid, Buffer.from(oid.commonName, 'hex')), der(tag.text, Buffer.from('order-license-mock'))),
    ),
  );
  const serial = randomBytes(8);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40; // positive, without a leading zero
  const names = sequence(...['localhost', '127.0.0.1', ...more].map(alternativeName));
  const body = sequence(
    der(0xa0, der(tag.integer, Buffer.from([2]))),
    der(tag.integer, serial),
    algorithm,
    name,
    sequence(time(now - 86_400_000), time(now + 365 * 86_400_000)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        extension(oid.basicConstraints, sequence(der(1, Buffer.from([0xff])))),
        extension(oid.keyUsage, der(tag.bits, Buffer.from([2, 0x84]))), // digitalSignature, keyCertSign
        extension(oid.subjectAltName, names),
      ),
    ),
  );
  const signature = der(tag.bits, Buffer.from([0]), sign('sha256', body, privateKey));
  return {
    cert: pem('CERTIFICATE', sequence(body, algorithm, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
};

const alternativeName = (name: string): Buffer =>
  isIP(name) ? der(0x87, Buffer.from(bytesOf(name))) : der(0x82, Buffer.from(name));

const bytesOf = (address: string): number[] => {
  if (isIP(address) === 4) return address.split('.').map(Number);
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail]
    .map((word) => Number.parseInt(word, 16))
    .flatMap((word) => [word >> 8, word & 255]);
};

const der = (type: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([type, ...size]), content]);
};

const sequence = (...parts: Uint8Array[]): Buffer => der(tag.sequence, ...parts);

const extension = (id: string, value: Uint8Array): Buffer =>
  sequence(der(tag.oid, Buffer.from(id, 'hex')), der(tag.octets, value));

const time = (at: number): Buffer =>
  der(tag.time, Buffer.from(new Date(at).toISOString().replace(/^\d\d|[-:T]|\.\d+/g, '')));

const pem = (label: string, bytes: Buffer): string => {
  const lines = bytes.toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines.trimEnd()}\n-----END ${label}-----\n`;
};
