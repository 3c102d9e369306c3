export const topics = [
  'configuration',
  'callers',
  'port',
  'sign-in',
  'address',
  'API key',
  'account',
  'limit',
  'API',
  'clock',
  'store',
  'export',
] as const;

export type Topic = (typeof topics)[number];

/** The result of one check. */
export interface Finding {
  verdict: 'ok' | 'warn' | 'fail';
  topic: Topic;
  text: string;
}

const finding =
  (verdict: Finding['verdict']) =>
  (topic: Topic, text: string): Finding => ({ verdict, topic, text });
export const ok = finding('ok');
export const warn = finding('warn');
export const fail = finding('fail');

/** Returns a finding as one line for people. */
export const formatFinding = ({ verdict, topic, text }: Finding): string =>
  `${verdict.padEnd(6)}${topic}: ${onOneLine(text)}`;

/** Replaces characters that end a line or control a terminal, because account names come from the shop. */
const onOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
