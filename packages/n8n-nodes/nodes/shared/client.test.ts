import { expect, test } from 'vitest';
import { run } from '../OrderLicense/run-node.fixture';
import { serveEach, service } from './service.fixture';

serveEach();

const runWith = (requestsPerMinute: unknown, apiKey = service.keys.business) => {
  const credential = { baseUrl: service.baseUrl, apiKey };
  return run(service, 'getMe', {}, { credential: { ...credential, requestsPerMinute: requestsPerMinute as number } });
};

test('treats an empty number of requests per minute as 60', async () => {
  for (const empty of [undefined, null, '']) expect(await runWith(empty)).toHaveLength(1);
});

test("applies the credential's latest requests per minute without a restart", async () => {
  const key = service.keys.businessSecond;
  expect(await runWith(1, key)).toHaveLength(1);
  for (let execution = 0; execution < 3; execution++) expect(await runWith(60, key)).toHaveLength(1);
  expect(service.journal.entries().map(({ status }) => status)).not.toContain(429);
});
