import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** Creates a self-signed PEM certificate for localhost and 127.0.0.1, which a client can also trust as a CA. */
export const makeCertificate = async (): Promise<{ cert: string; key: string }> => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'order-license-test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  return { cert, key };
};

/** Writes a new certificate and its key, for the mock's `listen()`, to a temporary folder. */
export const certificateFiles = async (): Promise<{ tlsCert: string; tlsKey: string }> => {
  const { cert, key } = await makeCertificate();
  const folder = mkdtempSync(join(tmpdir(), 'order-license-'));
  const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(tlsCert, cert);
  writeFileSync(tlsKey, key);
  return { tlsCert, tlsKey };
};
