import { type MockRequest, splitTarget } from '../api/request.ts';
import type { AnswerSummary } from '../api/responses.ts';
import type { Selection } from '../api/selection.ts';
import type { FaultKind } from '../faults/fault.ts';
import type { StoredKey } from '../orders/accounts.ts';
import type { WritableJournal } from './journal.ts';
import { redact } from './redact.ts';
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
