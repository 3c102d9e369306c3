import { type OperationName, operationNames } from '../api/operation.ts';
import { isObject, refuseUnknownFields } from '../validate/fields.ts';
import { oneOf, shown, wholeNumber } from '../validate/values.ts';
import { drawMs, type Fault, type FaultKind, faultKinds, hasHeaders } from './fault.ts';

export const methodNames = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** A fault and the requests it matches. Only API operations can match. */
export interface FaultRule extends Fault {
  /** Number of matching requests. Default: 1, or `'always'` with a probability. */
  times?: number | 'always';
  /** Number of matching requests to skip first. */
  skip?: number;
  /** Only this operation. */
  operation?: OperationName;
  /** Only this page of the list; a request without `page` asks for page 1. */
  page?: number;
  /** Only this order. */
  id?: number;
  /** Default: GET. */
  method?: (typeof methodNames)[number];
  /** Only requests with the key of this name, in any state. */
  key?: string;
  /** 0 to 1. The same seed makes the same choices. */
  probability?: number;
}

/** A rule as callers pass it. A three-digit kind is short for a `status` fault. */
export type FaultInput = Omit<FaultRule, 'kind'> & { kind: FaultKind | `${number}` };

/** The fields that select requests. */
export const choosers = [
  ...(['times', 'skip', 'operation', 'page', 'id', 'method', 'key', 'probability'] as const),
] satisfies (keyof FaultRule)[];
const fields = ['kind', 'status', 'ms', 'bytes', 'to', 'retryAfter', 'headers', ...choosers];

/** Well below the maximum length of a JavaScript string, 536870888. */
const limits = {
  status: [200, 599],
  bytes: [0, 256_000_000],
  retryAfter: [0, 1e9],
  skip: [0, 1e9],
  page: [1, Number.MAX_SAFE_INTEGER],
  id: [0, Number.MAX_SAFE_INTEGER],
} as const;
const texts = {
  to: { form: /^[\x21-\x7e]+$/, about: 'a URL in printable ASCII without spaces' },
  key: { form: /./s, about: 'the name of a key, like business' },
};
/** Framing headers. Only faults such as `truncate` and `badChunk` change them. */
const framing = ['content-length', 'transfer-encoding', 'connection'];

/**
 * Parses a fault string: `500`, `html;status=503`, `delay;ms=50..300`.
 * @throws Error that lists what is allowed
 */
export const parseFault = (text: string): FaultRule => {
  const [kind = '', ...pairs] = text.split(';').map((part) => part.trim());
  const rule: Record<string, unknown> = { kind };
  for (const pair of pairs) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined)
      throw new Error(`a fault must be written like html;status=503, not "${text}"`);
    if (name === 'kind' || Object.hasOwn(rule, name)) throw new Error(`${name} of a fault is given twice`);
    rule[name] = !Object.hasOwn(texts, name) && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  }
  return checkFault(rule);
};

/** Returns a validated copy of the rule. @throws Error that lists what is allowed */
export const checkFault = (given: Record<string, unknown>): FaultRule => {
  refuseUnknownFields('a fault', given, fields);
  const rule = withKind(given);
  for (const [name, [min, max]] of Object.entries(limits)) {
    if (rule[name] !== undefined) wholeNumber(`${name} of a fault`, rule[name], max, min);
  }
  const { times, operation, method, probability, headers } = rule;
  if (times !== undefined && times !== 'always') {
    if (!Number.isInteger(times) || (times as number) < 1 || (times as number) > 1e9)
      throw new Error(`times of a fault must be a whole number from 1 to 1000000000, or always, not ${shown(times)}`);
  }
  for (const [name, { form, about }] of Object.entries(texts)) {
    const value = rule[name];
    if (value !== undefined && !(typeof value === 'string' && form.test(value))) {
      throw new Error(`${name} of a fault must be ${about}, not ${shown(value)}`);
    }
  }
  if (operation !== undefined) oneOf('operation of a fault', operation, operationNames);
  if (method !== undefined) oneOf('method of a fault', method, methodNames);
  for (const [name, owner] of [
    ['page', 'list'],
    ['id', 'order'],
  ] as const) {
    if (rule[name] === undefined) continue;
    rule.operation ??= owner;
    if (rule.operation !== owner)
      throw new Error(`${name} of a fault is for the operation ${owner}, not ${rule.operation}`);
  }
  if (probability !== undefined && !(typeof probability === 'number' && probability >= 0 && probability <= 1)) {
    throw new Error(`probability of a fault must be a number from 0 to 1, not ${shown(probability)}`);
  }
  if (rule.ms !== undefined) drawMs(rule.ms as string | number, 0.5, 0.5);
  if (headers !== undefined) rule.headers = checkHeaders(headers);
  for (const name of ['retryAfter', 'headers']) {
    if (rule[name] !== undefined && !hasHeaders(rule.kind as FaultKind))
      throw new Error(`the fault "${rule.kind}" sends no headers of its own; remove ${name}`);
  }
  if (rule.retryAfter !== undefined && Object.hasOwn(rule.headers ?? {}, 'retry-after'))
    throw new Error('Retry-After of a fault is given twice: as retryAfter and in headers');
  return rule as unknown as FaultRule;
};

const withKind = ({ ...rule }: Record<string, unknown>): Record<string, unknown> => {
  const { kind } = rule;
  if (typeof kind === 'string' && /^\d{3}$/.test(kind)) {
    if (rule.status !== undefined) throw new Error(`status of a fault is given twice: as kind "${kind}" and as status`);
    return { ...rule, kind: 'status', status: Number(kind) };
  }
  if (typeof kind === 'string' && Object.hasOwn(faultKinds, kind)) return rule;
  throw new Error(
    `there is no fault ${shown(kind)}; the faults are ${Object.keys(faultKinds).join(', ')}, or a status like 500`,
  );
};

const checkHeaders = (headers: unknown): Record<string, string> => {
  if (!isObject(headers)) throw new Error('headers of a fault must be an object like { "x-request-id": "42" }');
  const checked: Record<string, string> = {};
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      throw new Error(`headers of a fault: ${shown(given)} is not a header name`);
    if (framing.includes(name)) throw new Error(`headers of a fault: ${name} frames the answer and cannot be set`);
    if (Object.hasOwn(checked, name)) throw new Error(`headers of a fault: ${name} is given twice`);
    if (typeof value !== 'string' || !/^[\t\x20-\x7e]*$/.test(value))
      throw new Error(`headers of a fault: ${name} must be a string of printable ASCII, not ${shown(value)}`);
    checked[name] = value;
  }
  return checked;
};
