import { type MockRequest, splitTarget } from '../api/request.ts';
import type { AnswerSummary } from '../api/responses.ts';
import type { Selection } from '../api/selection.ts';
import { type Fault, faultWaitMs } from '../faults/fault.ts';
import type { Verdict } from '../limit/limiter.ts';
import type { StoredKey } from '../orders/accounts.ts';
import type { Settings } from '../settings/settings.ts';
import { type Connection, checkContract, createWaits, waitMs } from './contract-check.ts';
import type { WritableJournal } from './journal.ts';

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
 * Creates a recorder, which adds requests to the journal, without their API keys and with the rules that they violate.
 * @param isKey returns whether a text is a key of this mock
 */
export const createRecorder = (journal: WritableJournal, now: () => number, isKey: (key: string) => boolean) => {
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
    reset(): void {
      resets++;
      waits.reset();
      journal.clear();
    },
  };
};

const mask = '***';
/** Patterns for the parts of a text that can be a key, from coarse to fine. */
const cuts = [/\S+/g, /[^\s/?&=]+/g, /[^\s,;=&"]+/g, /[^\s,;:=/?&"()<>]+/g, /[\w-]+/g];
/** Maximum number of cached texts. The cache helps since a client sends the same headers with every request. */
const maxKept = 256;

/** The recorded parts of a request, without API keys. */
interface RedactedRequest {
  target: string;
  headers: Record<string, string>;
}

/**
 * Creates a function that replaces keys with `***`: the value of the Authorization header, wherever the request repeats
 * it, and every key of this mock.
 * @param isKey returns whether a text is a key of this mock
 */
const createRedactor = (isKey: (key: string) => boolean): ((request: MockRequest) => RedactedRequest) => {
  const isKnown = (part: string): boolean => isKey(part) || isKey(decode(part));
  const kept = new Map<string, string>();
  const hideKeys = (text: string): string => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const hidden = cuts.reduce((left, cut) => left.replace(cut, (part) => (isKnown(part) ? mask : part)), text);
    if (kept.size === maxKept) kept.clear();
    kept.set(text, hidden);
    return hidden;
  };

  return ({ target, rawHeaders }) => {
    const pairs = rawHeaders.flatMap((name, n) => (n % 2 === 0 ? [[name, rawHeaders[n + 1] as string] as const] : []));
    const sent = pairs.flatMap(([name, value]) => {
      const key = value.replace(/^\S+\s+/, '');
      return name.toLowerCase() === 'authorization' && key !== '' ? [key, encodeURIComponent(key)] : [];
    });
    const hide = (text: string): string => hideKeys(sent.reduce((left, key) => left.replaceAll(key, mask), text));
    const headers: Record<string, string> = {};
    for (const [name, value] of pairs) {
      if (name.toLowerCase() !== 'authorization') headers[hide(name).toLowerCase()] = hide(value);
      else headers.authorization = /^Bearer /.test(value) ? `Bearer ${mask}` : mask;
    }
    return { target: hide(target), headers };
  };
};

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
};
