import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { certificateFiles } from '../../../testing/src/certificate.ts';
import { listen } from './listen.ts';

test('under TLS, only clients that trust the certificate file can connect [S-04 U-61]', async () => {
  const files = await certificateFiles();
  const mock = await listen(files);
  expect(mock.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
  const headers = { authorization: `Bearer ${mock.keys.business}` };
  const trusting = new Agent({ connect: { ca: readFileSync(files.tlsCert, 'utf8') } });
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
});

test('a certificate without its key, or with a different key, is rejected', async () => {
  const [{ tlsCert }, { tlsKey }] = [await certificateFiles(), await certificateFiles()];
  await expect(listen({ tlsCert })).rejects.toThrow('tlsCert and tlsKey belong together; pass both');
  await expect(listen({ tlsCert, tlsKey })).rejects.toThrow(/^tlsCert and tlsKey cannot be used: .*mismatch/);
  await expect(listen({ tlsCert: '/nowhere.pem', tlsKey })).rejects.toThrow('/nowhere.pem: the file does not exist');
});
