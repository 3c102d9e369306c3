import { headerValues, type MockRequest, splitTarget } from '../api/request.ts';
import type { AnswerSummary } from '../api/responses.ts';
import type { Selection } from '../api/selection.ts';
import type { FaultKind } from '../faults/fault.ts';
import type { StoredKey } from '../orders/accounts.ts';
import type { WritableJournal } from './journal.ts';
import { createWaits, type Rejection, violationsOf } from './violations.ts';

/** The response to a request, and the other facts that the recorder needs. */
export interface Recorded {
  /** 0 if no status was sent. */
  status: number;
  answer?: AnswerSummary | undefined;
  /** The key that authenticated the request. */
  key?: StoredKey | undefined;
  asked: Selection;
  fault?: FaultKind | undefined;
  /** Identifies the connection of the request. */
  connection?: object | undefined;
  /** Set if the response is a 429. */
  rejection?: Rejection | undefined;
}

/**
 * Creates a recorder, which adds requests to the journal, without their API keys and with the rules that they violate.
 * @param keys the initial API keys of this mock
 */
export const createRecorder = (journal: WritableJournal, now: () => number, keys: readonly string[]) => {
  const waits = createWaits();
  const secrets = new Set(keys.filter(isLong));
  return {
    /** Hides another key from now on. */
    hide(key: string): void {
      if (isLong(key)) secrets.add(key);
    },
    record(request: MockRequest, recorded: Recorded): void {
      const { status, answer, key, asked, fault, connection, rejection } = recorded;
      const at = now();
      const { target, headers } = redact(request, secrets);
      journal.add({
        ...asked,
        at,
        method: request.method,
        ...splitTarget(target),
        headers,
        status,
        ...(answer ? { answer } : {}),
        ...(fault ? { fault } : {}),
        violations: violationsOf(request, key ? waits.earlyMs(key.sha256, at, connection) : 0),
      });
      if (key && rejection) waits.reject(key.sha256, at, connection, rejection);
    },
    reset(): void {
      waits.reset();
      journal.clear();
    },
  };
};

const mask = '***';
/** Shorter keys are hidden only in the Authorization header, because other texts can contain them by chance. */
const isLong = (key: string): boolean => key.length >= 8;

/**
 * Returns a request's target and headers. `***` replaces the given secrets and, wherever the request contains it, the
 * value of its Authorization header.
 */
const redact = (request: MockRequest, secrets: Iterable<string>) => {
  const sent = headerValues(request, 'authorization').map((value) => value.replace(/^\S+\s+/, ''));
  // A key can begin with another one.
  const all = [...sent.filter(isLong), ...secrets].sort((one, other) => other.length - one.length);
  const hide = (text: string): string => all.reduce((left, secret) => left.replaceAll(secret, mask), text);
  // One text is faster to search than many.
  let text = hide([request.target, ...request.rawHeaders].join('\n'));
  // A client can encode any characters of a key.
  const plain = text.replace(/%[2-7][\da-f]/gi, decodeURIComponent);
  if (plain !== text && all.some((secret) => plain.includes(secret))) text = hide(plain);
  const [target = '', ...parts] = text.split('\n');
  const headers: Record<string, string> = {};
  for (let n = 0; n < parts.length; n += 2) {
    const [name = '', value = ''] = parts.slice(n, n + 2);
    headers[name.toLowerCase()] = value;
  }
  if (headers.authorization !== undefined)
    headers.authorization = headers.authorization.startsWith('Bearer ') ? `Bearer ${mask}` : mask;
  return { target, headers };
};
