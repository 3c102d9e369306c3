import { checkSelection, selectionReaders } from '../api/selection.ts';
import { parseJson } from '../orders/read-file.ts';
import { type Given, matching, oneOf, optional, readFields, shown, valid, whole } from '../settings/check.ts';
import { type Fault, type FaultKind, faultKinds, faultOptions } from './fault.ts';

const methodNames = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** A fault and the requests it matches. */
export interface FaultRule extends Fault, Given<typeof target> {}

/**
 * A rule as callers pass it: `response` says what changes, or `kind` names a fault. A number as the kind, at least 400,
 * is short for an error response with this status.
 */
export type FaultInput = Omit<FaultRule, 'kind'> & { kind?: FaultKind | `${number}` | number | undefined };

const isKey = matching(/./s, 'the name of a key, such as business');
const times = valid<number | 'always'>(
  'a whole number from 1 to 1000000000, or always',
  (value) => value === 'always' || (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 1e9),
);

/** The fields that select requests. Only requests for API operations can match. */
const target = {
  /** Number of matching requests that get the fault, at least 1. Default: 1. */
  times: optional(times),
  /** Number of matching requests to skip first. Default: 0. */
  skip: optional(whole(0, 1e9)),
  ...selectionReaders,
  /** Default: GET. */
  method: optional(oneOf(methodNames)),
  /** The name of the key that was sent, even if it is inactive or revoked. */
  key: optional(isKey),
};
const readers = {
  kind: (_: string, kind: unknown): FaultKind => {
    if (typeof kind === 'string' && Object.hasOwn(faultKinds, kind)) return kind as FaultKind;
    const known = Object.keys(faultKinds).join(', ');
    throw new Error(`there is no fault ${shown(kind)}; use one of ${known}, or a status such as 500`);
  },
  ...faultOptions,
  ...target,
};

const optionNames = Object.keys(faultOptions) as (keyof typeof faultOptions)[];

/** The fields that select requests. */
export const targetFields = Object.keys(target) as (keyof typeof target)[];

/**
 * Parses a fault string: `500`, `html;status=503`, `delay;ms=50..300`, or JSON such as `{"response": {"body": ""}}`.
 * @throws Error that lists what is allowed
 */
export const parseFault = (text: string): FaultRule => {
  if (text.trim().startsWith('{')) return checkFault(parseJson(text, 'a fault') as Record<string, unknown>);
  const [kind = '', ...pairs] = text.split(';').map((part) => part.trim());
  const rule: Record<string, unknown> = { kind };
  for (const pair of pairs) {
    const [, name, value] = /^(\w+)\s*=\s*(.*)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined)
      throw new Error(`a fault must be written like html;status=503, not "${text}"`);
    if (name === 'kind' || Object.hasOwn(rule, name)) throw new Error(`${name} of a fault is given twice`);
    rule[name] = name !== 'key' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  }
  return checkFault(rule);
};

/** Returns a validated copy of the rule. @throws Error that lists what is allowed */
export const checkFault = (given: Record<string, unknown>): FaultRule => {
  const rule = readFields<FaultRule>('a fault', withStatus(given), readers, ' of a fault');
  checkSelection(rule, ' of a fault');
  const uses: readonly string[] = faultKinds[rule.kind].uses;
  const unused = optionNames.find((name) => rule[name] !== undefined && !uses.includes(name));
  if (unused)
    throw new Error(
      `the fault "${rule.kind}" has no option ${unused}; remove it${unused === 'ms' ? ', or add a second fault "delay"' : ''}`,
    );
  if (rule.headers && rule.response?.headers)
    throw new Error('headers of a fault are given twice: as headers and in response');
  if (rule.kind === 'status') whole(400, 599)('the status of an error', rule.status ?? 500);
  if (rule.retryAfter !== undefined && Object.hasOwn(rule.headers ?? rule.response?.headers ?? {}, 'retry-after'))
    throw new Error('Retry-After of a fault is given twice: as retryAfter and in headers');
  return rule;
};

const withStatus = (given: Record<string, unknown>): Record<string, unknown> => {
  const { kind, status, response } = given ?? {};
  if (response !== undefined && kind !== undefined && kind !== 'response')
    throw new Error(`a fault has response or the kind "${kind}", not both`);
  if (response !== undefined) return { ...given, kind: 'response' };
  if (kind === 'response') throw new Error('the fault "response" needs response, such as { "status": 500 }');
  if (!/^\d{3}$/.test(String(kind))) return given;
  if (status !== undefined) throw new Error(`status of a fault is given twice: as kind "${kind}" and as status`);
  return { ...given, kind: 'status', status: Number(kind) };
};
