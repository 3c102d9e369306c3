import { connectionError, OrderLicenseError, RateLimitError } from '@order-license/core/portable';
import { ExpressionError, type INode, NodeOperationError, UserError } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { OrderLicense } from '../OrderLicense/OrderLicense.node';
import { prepare, run, thrownBy } from '../OrderLicense/run-node.fixture';
import { toErrorItem, toNodeError } from './errors';
import { serveEach, service } from './service.fixture';

serveEach();

const node: INode = { id: '1', name: 'n', type: 't', typeVersion: 1, position: [0, 0], parameters: {} };

test("does not retry a 400, and passes on the API's message [S-72 S-90]", async () => {
  service.set({ errorText: 'page is wrong' });
  service.faults.add('400');
  expect(await thrownBy(run(service, 'getMe'))).toMatchObject({
    message: 'The API rejected the request parameters (400)',
    description: 'Check them. The API says: page is wrong',
    httpCode: '400',
  });
  expect(service.journal.total()).toBe(1);
});

test('the error for an unreachable API contains the error code, but nothing else from the original error', async () => {
  const error = toNodeError(node, connectionError('ECONNREFUSED'));
  expect(error).toMatchObject({ message: 'The API could not be reached (ECONNREFUSED)' });
  expect(error.context.details).toEqual({ code: 'connection', reason: 'ECONNREFUSED' });
});

test('a rate-limit error tells users when to retry', () => {
  const error = toNodeError(node, new RateLimitError('server', 59_200, { status: 429 }));
  expect(error).toMatchObject({ httpCode: '429' });
  expect(error.message).toBe('The API returned status 429');
  expect(error.description).toMatch(/^Call again in 60 s\. Something else probably uses the same API key\./);
  const held = toNodeError(node, new RateLimitError('local', 20_000));
  expect(held).toMatchObject({ name: 'NodeOperationError', message: 'Rate limit reached' });
  expect(held.description).toBe('Call again in at least 20 s.');
});

test("passes on the client's own detail and advice separately, whatever they contain", () => {
  const fields = { detail: 'It has; a semicolon. And (X_CODE) too', advice: 'Do this; then that. Then wait.' };
  const error = toNodeError(node, new OrderLicenseError('invalid_response', { ...fields, reason: 'redirect' }));
  expect(error).toMatchObject({ message: fields.detail, description: fields.advice });
  expect(error.context.details).toEqual({ code: 'invalid_response', reason: 'redirect' });
  const all = toNodeError(node, new OrderLicenseError('bad_request', { detail: 'It has to be a number' }));
  expect([all.message, all.description || undefined]).toEqual(['It has to be a number', undefined]);
});

test("an error has the ID of the failed request, for the shop's support", async () => {
  service.faults.add({ kind: 'status', status: 400, times: 1, headers: { 'x-request-id': 'req_42' } });
  const error = await thrownBy(run(service, 'getMe'));
  expect(error.description).toContain('Request ID: req_42.');
  expect(error).toMatchObject({ context: { details: { requestId: 'req_42' } } });
});

test("reports an unreadable expression or credential with n8n's own message", async () => {
  const { context } = prepare(service, 'getOrder');
  const paths = {
    functionality: 'pairedItem',
    description: 'Try another reference',
    type: 'paired_item_no_info',
  } as const;
  const failing = (name: string, error: Error) => ({
    ...context,
    [name]: () => {
      throw error;
    },
  });
  const expression = failing('getNodeParameter', new ExpressionError("Can't get data for expression", paths));
  const thrown = await thrownBy(new OrderLicense().execute.call(expression));
  expect(thrown).toMatchObject({
    message: "Can't get data for expression",
    description: 'Try another reference',
    functionality: 'pairedItem',
    context: { itemIndex: 0, type: 'paired_item_no_info', details: { code: 'bad_request' } },
  });
  const credential = failing('getCredentials', new UserError('Credentials could not be decrypted'));
  const [items] = await new OrderLicense().execute.call({ ...credential, continueOnFail: () => true });
  expect(items?.[0]?.json).toEqual({ error: 'Credentials could not be decrypted', details: { code: 'configuration' } });
  expect(service.journal.total()).toBe(0);
});

test('without a credential, each input item gets the error that n8n throws', async () => {
  const { context } = prepare(service, 'getMe', {}, { items: [{ json: {} }, { json: {} }] });
  const getCredentials = () => Promise.reject(new NodeOperationError(node, 'Node does not have any credentials set'));
  const [items] = await new OrderLicense().execute.call({ ...context, getCredentials, continueOnFail: () => true });
  expect(items?.map(({ json }) => json)).toEqual([
    { error: 'Node does not have any credentials set', details: { code: 'configuration' } },
    { error: 'Node does not have any credentials set', details: { code: 'configuration', notRequested: true } },
  ]);
});

test("recognizes n8n's errors even if this package loads its own copy of n8n-workflow", () => {
  const fromOtherCopy = (name: string, message: string) =>
    Object.assign(new Error(message), { name, level: 'warning', shouldReport: false, tags: {} });
  const expression = toNodeError(node, fromOtherCopy('ExpressionError', "Referenced node doesn't exist"), 1);
  expect(expression).toMatchObject({
    message: "Referenced node doesn't exist",
    context: { itemIndex: 1, details: { code: 'bad_request' } },
  });
  const credential = toNodeError(node, fromOtherCopy('NodeOperationError', 'Node does not have any credentials set'));
  expect(credential).toMatchObject({
    message: 'Node does not have any credentials set',
    context: { details: { code: 'configuration' } },
  });
});

test('keeps error messages from n8n and from this node, and hides the message of an unexpected exception', () => {
  const own = new NodeOperationError(node, 'own words');
  expect(toNodeError(node, own, 3)).toBe(own);
  expect(own.context.itemIndex).toBe(3);
  const brokenFunction = () => new TypeError('cannot read secret-1234');
  const defect = toNodeError(node, brokenFunction(), 1);
  expect(defect).toMatchObject({ name: 'NodeOperationError' });
  expect(JSON.stringify([defect, defect.stack])).not.toContain('secret-1234');
  expect(defect.stack).toMatch(/^NodeOperationError: This node stopped unexpectedly\n {4}at brokenFunction /);
});

test('an error item has its message as `error`, the rest in `details`, and is linked to its input item', () => {
  const error = toNodeError(node, new OrderLicenseError('not_found', { detail: 'X', advice: 'Y.', status: 404 }), 2);
  const { message, description } = error;
  expect(toErrorItem(error, 2)).toEqual({
    json: { error: message, details: { code: 'not_found', statusCode: 404, advice: description } },
    pairedItem: { item: 2 },
  });
  const unsent = toNodeError(node, new OrderLicenseError('configuration', { detail: 'X', advice: 'Y.' }));
  expect(toErrorItem(unsent, 0).json).toEqual({ error: 'X', details: { code: 'configuration', advice: 'Y.' } });
  const limited = toNodeError(node, new RateLimitError('server', 59_200, { status: 429 }));
  expect(toErrorItem(limited, 0).json.details).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 60 });
});

test('an error about the key or the credential names no order', () => {
  for (const [code, status] of [
    ['authentication', 401],
    ['not_business_account', 403],
    ['invalid_response', 401],
    ['invalid_response', 403],
    ['configuration', undefined],
  ] as const) {
    const failed = new OrderLicenseError(code, { detail: 'X', advice: 'Y.', status });
    expect(toNodeError(node, Object.assign(failed, { orderId: '7' })).context.details).not.toHaveProperty('orderId');
  }
});
