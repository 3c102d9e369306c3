import { createMock } from '@order-license/mock-api';
import { plantedKey, plantedLicense, refuseSecrets } from '@order-license/testing/canary';
import { fuzzJsonValue } from '@order-license/testing/fuzz-values';
import { askMock } from '@order-license/testing/in-process-host';
import type { Execution, ExecutionOptions } from '@order-license/testing/n8n-execution';
import fc from 'fast-check';
import type { IDataObject, IHttpRequestOptions, INodeType, IPollFunctions } from 'n8n-workflow';
import { orderLicense, orderLicenseTrigger, prepare } from '../servers/n8n-pack.ts';
import { type FuzzAnswer, fuzzAnswer } from './answers.ts';
import { type Area, holdsFor, isApiRequest } from './area.ts';
import { newBaseUrl } from './shop.ts';

/** Prepares an execution whose requests are answered by `answer`. */
const prepareWith = (
  parameters: IDataObject,
  answer: NonNullable<ExecutionOptions['send']>,
  node: INodeType = orderLicense,
): Execution => {
  const credential = { baseUrl: newBaseUrl(), apiKey: plantedKey };
  const send = async (request: IHttpRequestOptions) => {
    if (!isApiRequest(request.url)) throw new Error(`Unexpected request: ${request.url}`);
    return answer(request);
  };
  return prepare({ node, credential, parameters, send });
};

const execute = async (execution: Execution): Promise<void> =>
  itemsOrNodeError(execution, async () => {
    const output = await orderLicense.execute?.call(execution.context);
    if (!Array.isArray(output)) throw new Error('The outputs are not a list.');
  });

const itemsOrNodeError = async ({ logs, hints, staticData }: Execution, run: () => Promise<void>): Promise<void> => {
  try {
    await run();
  } catch (error) {
    const { name, failure } = error as { name?: string; failure?: { cause?: string } };
    if (name !== 'NodeApiError' && name !== 'NodeOperationError') throw error;
    if (failure?.cause === 'node-defect') throw new Error((error as { description?: string }).description);
    refuseSecrets(error);
  }
  refuseSecrets([logs, hints, staticData]);
};

const operations: IDataObject[] = [
  { resource: 'account', operation: 'getMe' },
  { resource: 'order', operation: 'getOrder', order: '7' },
  {
    resource: 'order',
    operation: 'getOrder',
    order: { __rl: true, mode: 'number', value: 'B-1' },
    output: 'lineItems',
  },
  { resource: 'order', operation: 'listOrders', limit: 50 },
  { resource: 'order', operation: 'listOrders', limit: 3, output: 'licenseCodes', filters: { status: 'bezahlt' } },
];

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether a request may be retried after this response: its status can pass, or its body isn't JSON in UTF-8. */
const isRetried = ({ status, body }: FuzzAnswer): boolean => {
  if (status >= 500 || [408, 421, 425, 429].includes(status)) return true;
  try {
    JSON.parse(utf8.decode(body));
    return false;
  } catch {
    return true;
  }
};

export const n8nAnswers: Area = {
  name: 'responses to the n8n node',
  holds: 'items or an n8n error; no key in an error, a log or a hint',
  share: 5,
  open: async () => ({
    property: holdsFor(
      fc.record({ answer: fuzzAnswer, parameters: fc.constantFrom(...operations), simplify: fc.boolean() }),
      async ({ answer, parameters, simplify }) => {
        const enough = new AbortController();
        let sent = 0;
        const execution = prepareWith({ ...parameters, simplify }, () => {
          sent += 1;
          // Retries would wait in real time, and other tests cover them.
          if (sent > 20 || isRetried(answer)) enough.abort();
          return { statusCode: answer.status, headers: answer.headers, body: Uint8Array.from(answer.body).buffer };
        });
        execution.context.getExecutionCancelSignal = () => enough.signal;
        await execute(execution);
      },
    ),
  }),
};

const someUser: FuzzAnswer = { status: 200, headers: {}, body: Buffer.from('{"status":200,"data":{"user_id":1}}') };

export const n8nTrigger: Area = {
  name: 'responses to the n8n trigger',
  holds: 'events or an n8n error; no key in an error, a log or the state',
  share: 1,
  open: async () => ({
    property: holdsFor(fc.record({ answer: fuzzAnswer, user: fc.boolean() }), async ({ answer, user }) => {
      const send = ({ url }: IHttpRequestOptions) => {
        const { status, headers, body } = user && url.endsWith('/me') ? someUser : answer;
        // Retries would wait in real time, and other tests cover them.
        const calm = status === 429 || status >= 500 ? 403 : status;
        return { statusCode: calm, headers, body: Uint8Array.from(body).buffer };
      };
      const parameters = { events: ['newOrder', 'statusChanged', 'licenseCodeAvailable'] };
      const execution = prepareWith(parameters, send, orderLicenseTrigger);
      for (let poll = 0; poll < 2; poll++) {
        await itemsOrNodeError(execution, async () => {
          await orderLicenseTrigger.poll?.call(execution.context as unknown as IPollFunctions);
        });
      }
    }),
  }),
};

const names = ['operation', 'order', 'returnAll', 'limit', 'output', 'simplify', 'includeDetails', 'filters'];
/** A node parameter: any JSON value, as the editor or an expression can produce it. */
const parameter = fc.oneof(
  fuzzJsonValue,
  fuzzJsonValue.map((value) => ({ __rl: true, mode: 'id', value })),
  fuzzJsonValue.map((value) => ({ mode: 'number', value })),
  fuzzJsonValue.map((status) => ({ status })),
  fuzzJsonValue.map((createdFrom) => ({ createdFrom })),
  fuzzJsonValue.map((createdBefore) => ({ createdBefore })),
  fuzzJsonValue.map((status) => ({ status })),
);

export const n8nParameters: Area = {
  name: 'parameters of the n8n node',
  holds: 'only the three read requests are sent; items or an n8n error',
  share: 5,
  async open() {
    const mock = createMock({ limit: 'off', orders: 30, licenseKeyPrefix: plantedLicense });
    const input = fc.record({
      operation: fc.constantFrom('getOrder', 'listOrders'),
      given: fc.dictionary(fc.constantFrom(...names), parameter, { maxKeys: 3 }),
    });
    return {
      property: holdsFor(input, async ({ operation, given }) => {
        const parameters = { resource: 'order', operation, ...given } as IDataObject;
        // Lists are read without details, so that a run sends one request instead of as many as the limit allows.
        const whole = operation === 'listOrders' ? { includeDetails: false, output: 'orders' } : {};
        const execution = prepareWith({ ...parameters, ...whole }, async ({ url, headers }) => {
          const response = await askMock(mock, mock.keys.business, { url, headers: headers as Record<string, string> });
          const { status, headers: received, body } = response;
          return { statusCode: status, headers: received, body: Uint8Array.from(body).buffer };
        });
        await execute(execution);
      }),
    };
  },
};
