import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { listen } from '@order-license/mock-api';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';

const program = fileURLToPath(new URL('../../examples/mock/masked-orders.mts', import.meta.url));

test('masked orders are served by the mock, without the license keys, names and addresses of the shop', async () => {
  const shop = await listen({ limit: 'off', licenseKeyPrefix: 'CANARY-KEY-', set: { extraFields: 'unknown' } });
  onTestFinished(() => shop.close());
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    env: { PATH: process.env.PATH, ORDER_LICENSE_BASE_URL: shop.baseUrl, ORDER_LICENSE_API_KEY: shop.keys.business },
    maxBuffer: 10_000_000,
  });
  expect(stdout).not.toMatch(/CANARY-KEY|Müller|Hauptstraße|rechnungsnummer/);
  const ordersFile = join(temporaryFolder(), 'orders.jsonl');
  writeFileSync(ordersFile, stdout);
  const mock = await listen({ ordersFile });
  onTestFinished(() => mock.close());
  const shown = mock.state.orders('business').page(0, 50);
  expect(shown.map(({ list }) => list.bestellnummer)).toEqual(
    shop.state
      .orders('business')
      .page(0, 20)
      .map(({ list }) => list.bestellnummer),
  );
  const { detail } = mock.state.order(shop.samples.partlyDelivered.id);
  expect(detail.items).toMatchObject([{ menge: 10, license_codes: [{}, {}, {}, {}] }]);
});
