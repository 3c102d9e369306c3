import { type AnswerSummary, type MockRequest, splitTarget } from '../api/http.ts';
import type { Selection } from '../api/selection.ts';
import { type Fault, faultWaitMs } from '../faults/fault.ts';
import type { Verdict } from '../limit/limiter.ts';
import type { StoredKey } from '../orders/accounts.ts';
import type { Settings } from '../settings/settings.ts';
import { checkContract, waitMs } from './contract-check.ts';
import type { WritableJournal } from './journal.ts';
import { createRedactor } from './redact.ts';
import { type Connection, createWaits } from './wait-after-429.ts';

/** The response to a request, and the other facts that the recorder needs. */
export interface Recorded {
  /** 0 if no status was sent. */
  status: number;
  answer?: AnswerSummary | undefined;
  /** The key that authenticated the request. */
  key?: StoredKey | undefined;
  asked: Selection;
  fault?: Fault | undefined;
  verdict?: Verdict | undefined;
  connection?: Connection | undefined;
  settings: Settings;
}

/**
 * Creates a recorder, which adds requests to the journal. It removes their secrets, and adds the rules in the API docs
 * that they violate.
 * @param isKey returns whether a SHA-256 hash belongs to a key of this mock
 */
export const createRecorder = (journal: WritableJournal, now: () => number, isKey: (sha256: string) => boolean) => {
  const redact = createRedactor(isKey);
  const waits = createWaits();
  let resets = 0;
  return {
    /** Opens a connection, so that a 429 counts only once the client may have read it. */
    connect: waits.open,
    /** @returns a function to call when the response is sent: only then does a 429 require a wait */
    record(request: MockRequest, recorded: Recorded): () => void {
      const { status, answer, key, asked, fault, verdict, connection, settings } = recorded;
      const at = now();
      const { target, headers } = redact(request);
      const earlyMs = waits.earlyMs(connection, key?.sha256, at);
      const violations = checkContract(request, earlyMs / 1000);
      const { path, query } = splitTarget(target);
      journal.add({
        ...asked,
        at,
        method: request.method,
        path,
        query,
        headers,
        status,
        ...(answer ? { answer } : {}),
        ...(fault ? { fault: fault.kind } : {}),
        violations,
      });
      const from = resets;
      return () => {
        // A reset sends delayed responses after it has removed the waits.
        if (!key || status !== 429 || resets > from) return;
        const until = at + waitMs(verdict, settings, fault && faultWaitMs(fault, at));
        waits.rejected(connection, key.sha256, now(), until, earlyMs > 0);
      };
    },
    /** Records bytes that are not an HTTP request. */
    recordUnreadable(status: number): void {
      journal.add({ at: now(), status, method: '-', path: '-', query: '', headers: {}, violations: [] });
    },
    reset(): void {
      resets++;
      waits.reset();
      journal.clear();
    },
  };
};
