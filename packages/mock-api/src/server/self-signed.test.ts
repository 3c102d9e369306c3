import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';
import { selfSigned } from './self-signed.ts';

test('the certificate is for localhost and 127.0.0.1, self-signed and valid for a year [U-61]', () => {
  const now = Date.UTC(2026, 6, 1, 12);
  const { cert } = selfSigned(now);
  const read = new X509Certificate(cert);
  expect(read.subject).toBe('CN=order-license-mock');
  expect(read.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1');
  expect(read.ca).toBe(true);
  expect(read.verify(read.publicKey)).toBe(true);
  expect(read.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect([Date.parse(read.validFrom), Date.parse(read.validTo)]).toEqual([now - 86_400_000, now + 365 * 86_400_000]);
  expect(selfSigned(now).cert).not.toBe(cert);
});

test('under TLS, only clients that trust the certificate file can connect [S-04 U-61]', async () => {
  const mock = await listen({ tls: true });
  expect(mock.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
  const headers = { authorization: `Bearer ${mock.keys.business}` };
  const caFile = mock.caFile ?? '';
  const trusting = new Agent({ connect: { ca: readFileSync(caFile, 'utf8') } });
  const { statusCode, body } = await request(`${mock.baseUrl}/me`, { headers, dispatcher: trusting });
  expect([statusCode, ((await body.json()) as { status: number }).status]).toEqual([200, 200]);
  await expect(request(`${mock.baseUrl}/me`, { headers })).rejects.toThrow(/self-signed certificate/);
  const broken = request(`${mock.baseUrl}/me`, {
    headers: { ...headers, 'x-mock-fault': 'resetBefore' },
    dispatcher: trusting,
  });
  await expect(broken).rejects.toThrow();
  await trusting.destroy();
  await mock.close();
  expect(existsSync(caFile)).toBe(false);
  await expect(listen({ tls: true, set: { httpsOnly: 'redirect' } })).rejects.toThrow(/httpsOnly is for plain HTTP/);
});
