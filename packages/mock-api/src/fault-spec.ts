import { refuseUnknownFields } from './known-fields.ts';

/** What can go wrong on purpose. Wire faults need the HTTP server; the others work with every adapter. */
export const faultKinds = {
  status: { wire: false, about: 'An error with the envelope; status=500.' },
  html: { wire: false, about: 'The HTML page of a gateway; status=502.' },
  emptyBody: { wire: false, about: 'No body at all; status=200.' },
  textBody: { wire: false, about: 'Plain text instead of JSON; status=200.' },
  emptyObject: { wire: false, about: 'A body of {}; status=200.' },
  nullData: { wire: false, about: '200 whose data is null.' },
  arrayData: { wire: false, about: '200 whose data is a list.' },
  errorObject: { wire: false, about: 'An error whose error is an object; status=500.' },
  errorArray: { wire: false, about: 'An error whose error is a list; status=500.' },
  okWithError: { wire: false, about: '200 with error instead of data.' },
  wrongStatus: { wire: false, about: 'The answer, with another status in its body.' },
  bom: { wire: false, about: 'The answer behind a byte order mark.' },
  latin1: { wire: false, about: 'The answer in Latin-1 bytes, called UTF-8.' },
  wrongType: { wire: false, about: 'The answer as application/octet-stream.' },
  cutJson: { wire: false, about: 'The first half of the JSON, with the right Content-Length.' },
  deepBody: { wire: false, about: 'JSON nested 100000 deep.' },
  hugeBody: { wire: false, about: 'A body of bytes=20000000.' },
  redirect: { wire: false, about: 'A redirect to another origin; status=308, to=URL.' },
  delay: { wire: false, about: 'The answer, late: ms=1000, a range ms=50..300, or ms=lognormal:MEDIAN:SIGMA.' },
  resetBefore: { wire: true, about: 'The connection is reset before the answer.' },
  resetAfter: { wire: true, about: 'The connection is reset after the headers and half of the body.' },
  emptyReply: { wire: true, about: 'The connection is closed without an answer.' },
  truncate: { wire: true, about: 'Half of the body, then the connection is closed; Content-Length says more.' },
  badChunk: { wire: true, about: 'A chunked body with a broken chunk.' },
  garbage: { wire: true, about: 'Bytes that are not HTTP.' },
  drip: { wire: true, about: 'The body in 20 pieces, ms=100 apart.' },
  hang: { wire: true, about: 'No answer, and the connection stays open.' },
  idleReset: { wire: true, about: 'The answer; the next request on the connection gets a reset.' },
} as const satisfies Record<string, { wire: boolean; about: string }>;

export type FaultKind = keyof typeof faultKinds;

/** Faults that leave the client without even a status. */
export const silentFaults: readonly FaultKind[] = ['resetBefore', 'emptyReply', 'garbage', 'hang'];

/** One fault with its details. */
export interface Fault {
  kind: FaultKind;
  /** HTTP status, 200 to 599. */
  status?: number;
  /** ms, as a number or as text: `50..300`, `lognormal:120:0.5`. */
  ms?: number | string;
  /** Length of a huge body, at most 256000000. */
  bytes?: number;
  /** Where a redirect leads: printable ASCII without blanks. */
  to?: string;
}

/** When a fault strikes. */
export interface FaultRule extends Fault {
  /** How often; 0 is always. 1 where absent, or 0 where there is a probability. */
  times?: number;
  /** Matching requests to let through first. */
  skip?: number;
  /** Only paths that start with this, below the base URL, without a query: `/orders/`. */
  path?: string;
  /** Only requests with the key of this name. */
  key?: string;
  /** 0 to 1, seeded: the same mock makes the same choices. */
  probability?: number;
}

/** The fields that choose among requests. */
export const choosers = ['times', 'skip', 'path', 'key', 'probability'] as const satisfies (keyof FaultRule)[];
const fields = ['kind', 'status', 'ms', 'bytes', 'to', ...choosers];

/** A JavaScript string ends at 536870888 characters; a huge body stays well below. */
const limits = { status: [200, 599], bytes: [0, 256_000_000], times: [0, 1e9], skip: [0, 1e9] } as const;
const texts = {
  to: { form: /^[\x21-\x7e]+$/, about: 'a URL in printable ASCII without blanks' },
  path: { form: /^\/[^?]*$/, about: 'a path like /orders/, below the base URL and without a query' },
  key: { form: /./s, about: 'the name of a key, like business' },
};

/**
 * A fault written as text: `500`, `html;status=503`, `delay;ms=50..300`.
 * @throws Error with a sentence that says what is allowed
 */
export function parseFault(text: string): FaultRule {
  const [kind = '', ...pairs] = text.split(';').map((part) => part.trim());
  const rule: Record<string, unknown> = /^\d{3}$/.test(kind) ? { kind: 'status', status: Number(kind) } : { kind };
  for (const pair of pairs) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined)
      throw new Error(`a fault is written like html;status=503, not "${text}"`);
    rule[name] = !Object.hasOwn(texts, name) && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  }
  return checkFault(rule);
}

/** The rule, if it is one. @throws Error with a sentence that says what is allowed */
export function checkFault(rule: Record<string, unknown>): FaultRule {
  refuseUnknownFields('a fault', rule, fields);
  if (typeof rule.kind !== 'string' || !Object.hasOwn(faultKinds, rule.kind)) {
    throw new Error(
      `there is no fault "${rule.kind}"; the faults are ${Object.keys(faultKinds).join(', ')}; ` +
        'a status is {"kind":"status","status":500}, or the text 500',
    );
  }
  for (const [name, [min, max]] of Object.entries(limits)) {
    const value = rule[name];
    if (value !== undefined && !(Number.isInteger(value) && (value as number) >= min && (value as number) <= max)) {
      throw new Error(`${name} of a fault is a whole number from ${min} to ${max}, not "${value}"`);
    }
  }
  for (const [name, { form, about }] of Object.entries(texts)) {
    const value = rule[name];
    if (value !== undefined && !(typeof value === 'string' && form.test(value))) {
      throw new Error(`${name} of a fault is ${about}, not "${value}"`);
    }
  }
  const { probability } = rule;
  if (probability !== undefined && !(typeof probability === 'number' && probability >= 0 && probability <= 1)) {
    throw new Error(`probability of a fault is a number from 0 to 1, not "${probability}"`);
  }
  if (rule.ms !== undefined) drawMs(rule.ms as string | number, 0.5, 0.5);
  return rule as unknown as FaultRule;
}

/**
 * Milliseconds of a fault's `ms`.
 * @param first,second evenly spread, from 0 up to 1
 * @throws Error with a sentence that says how `what` is written
 */
export function drawMs(ms: number | string, first: number, second: number, what = 'ms of a fault'): number {
  const text = String(ms);
  const range = /^(\d+)\.\.(\d+)$/.exec(text);
  if (range && Number(range[1]) <= Number(range[2])) {
    return Number(range[1]) + Math.floor(first * (Number(range[2]) - Number(range[1]) + 1));
  }
  const [, median, sigma] = /^lognormal:(\d+):(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (median !== undefined) {
    const normal = Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second);
    return Math.round(Number(median) * Math.exp(normal * Number(sigma)));
  }
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`${what} is written 1000, 50..300 or lognormal:120:0.5, not "${text}"`);
}
