import { OrderLicenseError } from '@order-license/core/portable';
import { expect, test } from 'vitest';
import { describePart } from './describe-part.ts';

test('describes the error that ended a call early without the headers of its response', async () => {
  const interruption = new OrderLicenseError('server', {
    detail: 'The API returned server error 502',
    advice: 'Try again later.',
    status: 502,
    received: 'text/html, 9 bytes, server: canary',
  });
  const described = describePart({ interruption }, undefined, { requests: () => 1 }, undefined);
  expect(described).toMatchObject({ advice: 'The API returned server error 502. Try again later.' });
});
