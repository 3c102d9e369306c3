import type { FaultRule } from '@order-license/mock-api';
import type { Canary } from '@order-license/testing/canary';
import type { StrikeName } from './fault-cases.ts';

/** The outcome of a run. */
export interface Outcome {
  /** In a few words. */
  text: string;
  /** The error's message, without the API's own words. */
  words?: string;
}

/** A package that is tested with every fault. */
export interface Subject {
  title: string;
  /** A description of the run, in sentences. */
  about: string;
  /** Column headings, by when the fault occurs. */
  columns: Record<StrikeName, string>;
  run(rule: FaultRule, strike: StrikeName): Promise<Outcome>;
  close(): Promise<void>;
}

export interface SubjectOptions {
  canary: Canary;
}

/**
 * A successful run, with its cost. The connection pool decides whether a connection that will be reset is reused, so
 * that is not counted here.
 */
export const answered = ({ kind }: FaultRule, retries: number): string => {
  if (retries === 0 || kind === 'idleReset') return 'answered';
  return retries === 1 ? 'answered after a retry' : `answered after ${retries} retries`;
};
