import { expect, test } from 'vitest';
import { serveEach, service } from '../../shared/service.fixture';
import { run } from '../run-node.fixture';

serveEach({ limit: 'off' });

test('Get Me returns the six fields of the owner with one request and no query [S-15 S-40]', async () => {
  const items = await run(service, 'getMe');
  expect(items).toEqual([
    {
      json: {
        user_id: expect.any(Number),
        email: expect.any(String),
        name: 'Jürgen Müller',
        company: 'Müller & Söhne GmbH',
        vat_id: expect.any(String),
        api_version: '1.0',
      },
      pairedItem: { item: 0 },
    },
  ]);
  expect(service.journal.entries().map(({ path, query }) => path + query)).toEqual(['/api/v1/me']);
});

test('outputs names in any script byte for byte [S-05]', async () => {
  const credential = { baseUrl: service.baseUrl, apiKey: service.keys.otherAccount };
  const [item] = await run(service, 'getMe', {}, { credential });
  expect(item?.json.name).toBe('Zoë Strøm 山田');
});

test('outputs an empty, null or absent company as the API sent it [U-46]', async () => {
  const credential = { baseUrl: service.baseUrl, apiKey: service.keys.otherAccount };
  for (const [emptyText, company] of [
    ['empty', ''],
    ['null', null],
    ['absent', undefined],
  ] as const) {
    service.set({ emptyText });
    const [item] = await run(service, 'getMe', {}, { credential });
    expect(item?.json.company).toBe(company);
  }
  service.set({ emptyText: 'empty' });
});
