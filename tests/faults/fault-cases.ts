import { type Fault, type FaultInput, type FaultKind, type FaultRule, faultKinds } from '@order-license/mock-api';
import { faultOf, type OddResponseName, oddResponses } from '@order-license/testing/odd-responses';

export interface FaultCase {
  label: string;
  fault: FaultInput;
}

/** Settings for the faults that are tested in more than one variant, or with other than the default values. */
const variants: Partial<Record<FaultKind, readonly Omit<Fault, 'kind'>[]>> = {
  status: [400, 401, 403, 404, 429, 500].map((status) => ({ status })),
  html: [401, 403, 404, 429, 502, 503, 504].map((status) => ({ status })),
  delay: [{ ms: 5 }],
  drip: [{ ms: 1 }],
};

/** Every fault of the mock, and every odd response. */
export const faultCases: readonly FaultCase[] = [
  ...(Object.keys(faultKinds) as FaultKind[])
    .filter((kind) => kind !== 'response')
    .flatMap((kind) =>
      (variants[kind] ?? [{}]).map((details): FaultCase => {
        return { label: [kind, details.status].filter(Boolean).join(' '), fault: { kind, ...details } };
      }),
    ),
  ...(Object.keys(oddResponses) as OddResponseName[]).map((label) => ({ label, fault: faultOf(label) })),
  { label: 'emptyBody 500', fault: { response: { status: 500, body: '' } } },
];

/** When a fault occurs: at the first request or at a later one, and either once or at every request from then on. */
export const strikes = {
  once: { times: 1 },
  always: { times: 'always' },
  onceUnderWay: { times: 1, skip: 1 },
  alwaysUnderWay: { times: 'always', skip: 1 },
} as const satisfies Record<string, Partial<FaultRule>>;

export type StrikeName = keyof typeof strikes;
export const strikeNames = Object.keys(strikes) as StrikeName[];
