/** Exit codes of `order-license-mcp doctor`. */
export const exitCodes = {
  healthy: 0,
  serviceFailed: 1,
  misconfigured: 2,
  notReached: 3,
  keyRefused: 4,
  notBusinessAccount: 5,
  rateLimited: 6,
} as const;

/** The topics of findings. */
export const topics = [
  'configuration',
  'callers',
  'sign-in',
  'address',
  'API key',
  'account',
  'limit',
  'API',
  'clock',
  'store',
] as const;

export type Topic = (typeof topics)[number];

/** The result of one check. */
export interface Finding {
  verdict: 'ok' | 'warn' | 'fail';
  topic: Topic;
  text: string;
  /** The process's exit code if this is the first failure. */
  exitCode: number;
}

export const ok = (topic: Topic, text: string): Finding => ({ verdict: 'ok', topic, text, exitCode: 0 });
export const warn = (topic: Topic, text: string): Finding => ({ verdict: 'warn', topic, text, exitCode: 0 });
export const fail = (topic: Topic, text: string, exitCode: number): Finding => ({
  verdict: 'fail',
  topic,
  text,
  exitCode,
});

/** Returns a finding as one line for people. */
export const formatFinding = ({ verdict, topic, text }: Finding): string =>
  `${verdict.padEnd(6)}${topic}: ${onOneLine(text)}`;

/** Replaces characters that end a line or control a terminal, because account names come from the shop. */
const onOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
