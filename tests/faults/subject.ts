import type { FaultRule } from '@order-license/mock-api';
import type { Canary } from '@order-license/testing/canary';
import type { StrikeName } from './fault-cases.ts';

/** What came of a run. */
export interface Outcome {
  /** In few words. */
  text: string;
  /** What the error says, without the words of the service. */
  words?: string;
}

/** A part of the kit that is put to every fault. */
export interface Subject {
  title: string;
  /** What is run, in sentences. */
  about: string;
  /** Headings, by when the fault strikes. */
  columns: Record<StrikeName, string>;
  run(rule: FaultRule, strike: StrikeName): Promise<Outcome>;
  close(): Promise<void>;
}

export interface SubjectOptions {
  canary: Canary;
}

/**
 * A good end, with what it cost. Whether a connection that will be reset is used again is up to the pool of
 * connections, so there it is not counted.
 */
export const answered = ({ kind }: FaultRule, retries: number): string => {
  if (retries === 0 || kind === 'idleReset') return 'answered';
  return retries === 1 ? 'answered after a retry' : `answered after ${retries} retries`;
};
