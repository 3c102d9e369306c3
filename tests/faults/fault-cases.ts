import { type Fault, type FaultKind, type FaultRule, faultKinds } from '@order-license/mock-api';

export interface FaultCase {
  label: string;
  fault: Fault;
}

/** Settings for the faults that are tested in more than one variant, or with other than the default values. */
const variants: Partial<Record<FaultKind, readonly Omit<Fault, 'kind'>[]>> = {
  status: [400, 401, 403, 404, 429, 500].map((status) => ({ status })),
  html: [401, 403, 404, 429, 502, 503, 504].map((status) => ({ status })),
  emptyBody: [{ status: 200 }, { status: 500 }],
  hugeBody: [{ bytes: 2_000_000 }, { bytes: 34_000_000 }],
  delay: [{ ms: 5 }],
  drip: [{ ms: 1 }],
};

/** Every fault of the mock. */
export const faultCases: readonly FaultCase[] = (Object.keys(faultKinds) as FaultKind[]).flatMap((kind) =>
  (variants[kind] ?? [{}]).map((details) => {
    return { label: [kind, details.status, details.bytes].filter(Boolean).join(' '), fault: { kind, ...details } };
  }),
);

/** When a fault occurs: at the first request or at a later one, and either once or at every request from then on. */
export const strikes = {
  once: { times: 1 },
  always: { times: 'always' },
  onceUnderWay: { times: 1, skip: 1 },
  alwaysUnderWay: { times: 'always', skip: 1 },
} as const satisfies Record<string, Partial<FaultRule>>;

export type StrikeName = keyof typeof strikes;
export const strikeNames = Object.keys(strikes) as StrikeName[];
