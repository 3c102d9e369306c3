import { createClient, type StatusFilter } from '@order-license/core/portable';
import { createInProcessHost } from '@order-license/testing/in-process-host';
import { settingCases } from '@order-license/testing/setting-cases';
import { expect, test } from 'vitest';
import { resultOrCode } from './result-or-code.ts';

let made = 0;

test.each(settingCases)(
  'totals and counts agree with a walk, or fail with the same error as the walk: $label [$points]',
  async ({ set }) => {
    const { clock, mock, host } = createInProcessHost(
      { orders: 130, set: { limit: 'off', ...set } },
      { tripMs: () => 0 },
    );
    const client = createClient({
      baseUrl: `http://127.0.0.1:${++made}/api/v1`,
      apiKey: mock.keys.business,
      host: host(mock.keys.business),
      rateLimit: { requests: 100_000, minGapMs: 0 },
    });
    const walked = await clock.run(resultOrCode(client.orders().toArray({ limit: 1_000 })));
    const totals = await clock.run(resultOrCode(client.totals()));
    const counted = await clock.run(resultOrCode(client.countByStatus()));
    if (typeof walked === 'string' || typeof totals === 'string' || typeof counted === 'string') {
      expect([totals, counted]).toEqual([walked, walked]);
      return;
    }
    expect(totals.orders).toBe(walked.length);
    for (const [status, orders] of Object.entries(counted.counts)) {
      // The API's status filter can also match orders whose status is spelled differently (U-54). `total` counts all
      // orders that the filter matches.
      const expected =
        counted.source === 'total'
          ? await clock.run(client.orders({ status: status as StatusFilter }).toArray({ limit: 1_000 }))
          : walked.filter((order) => ((order.status as string | null | undefined) ?? '') === status);
      expect([status, orders]).toEqual([status, expected.length]);
    }
    const notAdded = totals.groups.reduce((sum, group) => sum + group.unreadable, 0);
    expect(totals.unreadable).toHaveLength(notAdded);
  },
);
