/** What `order-license-mcp doctor` ends with. */
export const exitCodes = {
  healthy: 0,
  serviceFailed: 1,
  misconfigured: 2,
  notReached: 3,
  keyRefused: 4,
  notBusinessAccount: 5,
  rateLimited: 6,
} as const;

/** What a finding can be about. */
export const topics = [
  'configuration',
  'callers',
  'sign-in',
  'address',
  'API key',
  'account',
  'limit',
  'service',
  'clock',
  'store',
] as const;

export type Topic = (typeof topics)[number];

/** One thing that was looked at: only `fail` changes the exit code. */
export interface Finding {
  verdict: 'ok' | 'warn' | 'fail';
  topic: Topic;
  text: string;
}

export type Say = (verdict: Finding['verdict'], topic: Topic, text: string) => void;

/** A finding as one line for people. */
export const formatFinding = ({ verdict, topic, text }: Finding): string =>
  `${verdict.padEnd(6)}${topic}: ${onOneLine(text)}`;

/** Names of the account are somebody else's words, which could forge a line or colour a terminal. */
const onOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
