import { headerValues, type MockRequest, splitTarget } from '../api/request.ts';
import type { AnswerSummary } from '../api/responses.ts';
import type { Selection } from '../api/selection.ts';
import type { FaultKind } from '../faults/fault.ts';
import type { StoredKey } from '../orders/accounts.ts';
import type { WritableJournal } from './journal.ts';
import { violationsOf } from './violations.ts';
import { createWaits, type Rejection } from './wait-after-429.ts';

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
 * @param keys the API keys of this mock
 */
export const createRecorder = (journal: WritableJournal, now: () => number, keys: Iterable<string>) => {
  const waits = createWaits();
  return {
    record(request: MockRequest, recorded: Recorded): void {
      const { status, answer, key, asked, fault, connection, rejection } = recorded;
      const at = now();
      const { target, headers } = redact(request, keys);
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

/** The recorded parts of a request, without API keys. */
interface Redacted {
  target: string;
  headers: Record<string, string>;
}

const mask = '***';
/** Shorter keys are hidden only in the Authorization header, because other texts can contain them by chance. */
const minLength = 8;

/**
 * Returns a request's target and headers. `***` replaces the value of the Authorization header, wherever the request
 * repeats it, and the given keys.
 */
const redact = (request: MockRequest, keys: Iterable<string>): Redacted => {
  const sent = headerValues(request, 'authorization').map((value) => value.replace(/^\S+\s+/, ''));
  const secrets = [...sent, ...keys].filter(({ length }) => length >= minLength);
  const forms = new Set(secrets.flatMap((key) => [key, encodeURIComponent(key)]));
  const hide = (text: string): string => {
    let hidden = text;
    for (const form of forms) hidden = hidden.replaceAll(form, mask);
    return hidden;
  };
  const headers: Record<string, string> = {};
  for (let n = 0; n < request.rawHeaders.length; n += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(n, n + 2);
    if (name.toLowerCase() !== 'authorization') headers[hide(name).toLowerCase()] = hide(value);
    else headers.authorization = /^Bearer /.test(value) ? `Bearer ${mask}` : mask;
  }
  return { target: hide(request.target), headers };
};
