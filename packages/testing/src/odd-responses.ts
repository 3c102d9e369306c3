import type { FaultInput, FaultKind } from '@order-license/mock-api';

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
  emptyBody: { status: 200, body: '' },
  textBody: { status: 200, headers: { 'content-type': 'text/plain' }, body: 'Service is starting' },
  emptyObject: { status: 200, body: {} },
  nullData: ofData({ data: null }),
  arrayData: ofData({ data: [] }),
  errorObject: { status: 500, body: { status: 500, error: { code: 'E1', message: 'failed' } } },
  errorArray: { status: 500, body: { status: 500, error: ['failed', 'twice'] } },
  okWithError: ofData({ error: 'Something failed.' }),
  wrongStatus: { body: withStatus(201) },
  bom: { body: (usual: string) => `\ufeff${usual}` },
  /** Declared as UTF-8. */
  latin1: { body: (usual: string) => Uint8Array.from(usual, (letter) => letter.charCodeAt(0)) },
  wrongType: { headers: { 'content-type': 'application/octet-stream' } },
  deepBody: { body: () => `{"status":200,"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}` },
  /** 40 MB. */
  hugeBody: { body: () => hugeBody() },
  redirect: { status: 308, headers: { location: 'https://elsewhere.example.test/api/v1/me' }, body: '' },
} satisfies Record<string, NonNullable<FaultInput['response']>>;

export type OddResponseName = keyof typeof oddResponses;
export type AnyFault = Exclude<FaultKind, 'response'> | OddResponseName | `${number}`;

/** Returns a fault of the mock by its kind, its status, or the name of an odd response. */
export const faultOf = (name: AnyFault): FaultInput =>
  Object.hasOwn(oddResponses, name) ? { response: oddResponses[name as OddResponseName] } : { kind: name as FaultKind };
