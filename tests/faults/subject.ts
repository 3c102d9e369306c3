import type { FaultInput } from '@order-license/mock-api';
import type { Canary } from '@order-license/testing/canary';
import type { StrikeName } from './fault-cases.ts';

/** A part of the kit that is tested with every fault. */
export interface Subject {
  title: string;
  /** A description of the run, in sentences. */
  about: string;
  /** Column headings, by when the fault occurs. */
  columns: Record<StrikeName, string>;
  /** Returns the outcome in a few words. */
  run(rule: FaultInput, strike: StrikeName): Promise<string>;
  close?(): Promise<void>;
}

export interface SubjectOptions {
  canary: Canary;
}

/**
 * Describes a successful run and its retries. For `idleReset`, retries are left out: they depend on whether the
 * connection pool reuses the connection that will be reset.
 */
export const answered = ({ kind }: FaultInput, retries: number): string => {
  if (retries === 0 || kind === 'idleReset') return 'ok';
  return retries === 1 ? 'ok after a retry' : `ok after ${retries} retries`;
};
