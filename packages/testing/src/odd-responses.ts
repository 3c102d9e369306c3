import type { FaultInput, FaultKind } from '@order-license/mock-api';

interface OddResponse {
  about: string;
  response: NonNullable<FaultInput['response']>;
}

const ofData = (body: object) => ({ status: 200, body: { status: 200, ...body } });
const withStatus = (status: number) => (usual: string) => JSON.stringify({ ...JSON.parse(usual), status });

/** Made once, on first use, because that takes long. */
let huge: Uint8Array | undefined;
const hugeBody = (): Uint8Array => {
  huge ??= new TextEncoder().encode(`{"status":200,"data":{"x":"${'x'.repeat(40_000_000)}"}}`);
  return huge;
};

/** Responses with odd bodies, by name. Each works as the `response` of a fault of the mock. */
export const oddResponses = {
  emptyBody: { about: 'No body at all.', response: { status: 200, body: '' } },
  textBody: {
    about: 'Plain text instead of JSON.',
    response: { status: 200, headers: { 'content-type': 'text/plain' }, body: 'Service is starting' },
  },
  emptyObject: { about: 'An empty object as the body.', response: { status: 200, body: {} } },
  nullData: { about: 'A 200 response with null as its `data`.', response: ofData({ data: null }) },
  arrayData: { about: 'A 200 response with a list as its `data`.', response: ofData({ data: [] }) },
  errorObject: {
    about: 'An error response whose `error` field is an object.',
    response: { status: 500, body: { status: 500, error: { code: 'E1', message: 'failed' } } },
  },
  errorArray: {
    about: 'An error response whose `error` field is a list.',
    response: { status: 500, body: { status: 500, error: ['failed', 'twice'] } },
  },
  okWithError: {
    about: 'A 200 response with an `error` field instead of `data`.',
    response: ofData({ error: 'Something failed.' }),
  },
  wrongStatus: {
    about: 'The usual response, with a different status in its body.',
    response: { body: withStatus(201) },
  },
  bom: {
    about: 'The usual response, preceded by a byte order mark.',
    response: { body: (usual: string) => `\ufeff${usual}` },
  },
  latin1: {
    about: 'The usual response in Latin-1, but declared as UTF-8.',
    response: { body: (usual: string) => Uint8Array.from(usual, (letter) => letter.charCodeAt(0)) },
  },
  wrongType: {
    about: 'The usual response, declared as application/octet-stream.',
    response: { headers: { 'content-type': 'application/octet-stream' } },
  },
  deepBody: {
    about: 'JSON nested 100000 levels deep.',
    response: { body: () => `{"status":200,"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}` },
  },
  hugeBody: {
    about: 'A body of 40 MB.',
    response: { body: () => hugeBody() },
  },
  redirect: {
    about: 'A redirect to a different origin.',
    response: { status: 308, headers: { location: 'https://elsewhere.example.test/api/v1/me' }, body: '' },
  },
} satisfies Record<string, OddResponse>;

export type OddResponseName = keyof typeof oddResponses;
export type AnyFault = Exclude<FaultKind, 'response'> | OddResponseName | `${number}`;

/** Returns a fault of the mock by its kind, its status, or the name of an odd response. */
export const faultOf = (name: AnyFault): FaultInput =>
  Object.hasOwn(oddResponses, name)
    ? { response: oddResponses[name as OddResponseName].response }
    : { kind: name as FaultKind };
