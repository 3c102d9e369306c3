import { plantedKey } from '@order-license/testing/canary';
import { faultOf, type OddResponseName, oddResponses } from '@order-license/testing/odd-responses';
import { beforeEach, expect, test } from 'vitest';
import { passTime, serveEach, service, start, startFakeTime } from '../shared/service.fixture';
import { OrderLicense } from './OrderLicense.node';
import { prepare } from './run-node.fixture';

serveEach({ frozenAt: start, limit: 'off', keys: { business: plantedKey } });
beforeEach(startFakeTime);

/** Runs Get Me against an API whose every response has this fault. */
const fail = async (fault: string): Promise<Record<string, unknown>> => {
  if (fault in oddResponses) service.faults.add({ ...faultOf(fault as OddResponseName), times: 'always' });
  else service.faults.add(`${fault};times=always`);
  const execution = prepare(service, 'getMe', {}, { continueOnFail: true });
  const [items] = await passTime(new OrderLicense().execute.call(execution.context));
  const shown = JSON.stringify([items, execution.logs, execution.hints]);
  expect(shown).not.toContain(plantedKey);
  return items?.[0]?.json ?? {};
};

const serverText = expect.any(String);

test.each([
  ['status;status=500', 'The API returned server error 500', { statusCode: 500, serverText }, 3],
  ['html;status=502', 'The API returned server error 502 (text/html', { statusCode: 502 }, 3],
  ['html;status=503', 'The API returned server error 503 (text/html', { statusCode: 503 }, 3],
  ['emptyBody', 'The response is not a JSON object in UTF-8', { statusCode: 200 }, 3],
  ['textBody', 'The response is not a JSON object in UTF-8', { statusCode: 200 }, 3],
  ['latin1', 'The response is not a JSON object in UTF-8', { statusCode: 200 }, 3],
  ['cutJson', 'The response is not a JSON object in UTF-8', { statusCode: 200 }, 3],
  ['emptyObject', 'The response has no `data` object', { statusCode: 200 }, 1],
  ['nullData', 'The response has no `data` object', { statusCode: 200 }, 1],
  ['okWithError', 'The API returned status 200 with an error in the body', { statusCode: 200, serverText }, 1],
  ['redirect', 'The API redirects to another address (308)', { statusCode: 308, reason: 'redirect' }, 1],
  ['resetBefore', 'The API could not be reached (ECONNRESET)', { reason: 'ECONNRESET' }, 3],
  ['emptyReply', 'The API could not be reached (UND_ERR_SOCKET)', { reason: 'UND_ERR_SOCKET' }, 3],
  ['garbage', 'The API could not be reached (HTTPParserError)', { reason: 'HTTPParserError' }, 3],
])('reports the fault %s as "%s" [U-43 U-45 U-58]', async (fault, message, fields, most) => {
  const { error, details } = await fail(fault);
  const { advice, code, ...rest } = details as Record<string, unknown>;
  expect(error).toContain(message);
  expect(advice).toMatch(/^[A-Z].*\.$/s);
  expect(code).toMatch(/^(server|connection|invalid_response)$/);
  expect(rest).toEqual(fields);
  expect(service.journal.total()).toBe(most);
});
