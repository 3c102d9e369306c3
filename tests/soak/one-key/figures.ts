import type { AssistantReport } from './assistant/assistant.ts';
import type { Kind } from './observer.ts';
import type { SimulationReport } from './simulation.ts';

/** Figures of a simulation over all its triggers. Times in seconds, shares from 0 to 1. */
export interface Figures {
  /**
   * For each kind of expected event: the number of events, and the median and 95th percentile of the time until they
   * were emitted.
   */
  delay: Partial<Record<Kind, { count: number; median: number; p95: number }>>;
  lost: number;
  repeated: number;
  renamed: number;
  unexpected: number;
  /** Share of *From List* calls that returned within 5 s; undefined without an editor. */
  fromList: number | undefined;
  /** Median duration of the exports; undefined if there were none. */
  exportSeconds: number | undefined;
  /** Figures of the assistant's calls and questions; undefined without an assistant. */
  assistant: AssistantFigures | undefined;
  /** Requests of the trigger that sent the most. */
  requestsPerDay: number;
  stateKB: number;
  /** What failed in the editor, in exports and in questions while everything was up. */
  failures: string[];
  rejected: number;
  violations: number;
}

export interface AssistantFigures {
  longestCall: number;
  questions: number;
  /** Median time until the complete answer, including rejected calls. */
  medianQuestion: number;
  /** The errors found in answers. */
  wrong: string[];
}

/**
 * Computes the figures of a simulation.
 * @param days duration of the simulation, including its quiet period
 */
export const figuresOf = (report: SimulationReport, days: number): Figures => {
  const { triggers, users, assistant, rejected, violations } = report;
  const most = (of: (trigger: SimulationReport['triggers'][number]) => number): number =>
    Math.max(0, ...triggers.map(of));
  const sum = (of: (trigger: SimulationReport['triggers'][number]) => number): number =>
    triggers.reduce((total, trigger) => total + of(trigger), 0);
  const delay: Figures['delay'] = {};
  for (const kind of Object.keys(triggers[0]?.delivery.latencies ?? {}) as Kind[]) {
    const all = triggers.flatMap(({ delivery }) => delivery.latencies[kind]).map((ms) => ms / 1_000);
    if (all.length > 0) delay[kind] = { count: all.length, median: percentile(all, 0.5), p95: percentile(all, 0.95) };
  }
  const { searches, exports } = users;
  return {
    delay,
    lost: sum(({ delivery }) => delivery.lost.length),
    repeated: sum(({ delivery }) => delivery.repeated.length),
    renamed: sum(({ delivery }) => delivery.renamed.length),
    unexpected: sum(({ delivery }) => delivery.unexpected.length),
    fromList: searches.length > 0 ? searches.filter((ms) => ms <= 5_000).length / searches.length : undefined,
    exportSeconds: exports.length > 0 ? percentile(exports, 0.5) / 1_000 : undefined,
    assistant: assistant.callMs.length > 0 ? assistantFigures(assistant) : undefined,
    requestsPerDay: most(({ counts }) => counts.requests) / days,
    stateKB: most(({ counts }) => counts.stateBytes) / 1_000,
    failures: [...users.failures, ...assistant.failures],
    rejected,
    violations,
  };
};

const assistantFigures = ({ callMs, questions, wrong }: AssistantReport): AssistantFigures => ({
  longestCall: Math.max(...callMs) / 1_000,
  questions: questions.length,
  medianQuestion: percentile(questions, 0.5) / 1_000,
  wrong,
});

/** Returns the smallest value that at least this share of the values does not exceed; NaN if there are none. */
export const percentile = (numbers: number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(share * numbers.length))] ?? Number.NaN;
