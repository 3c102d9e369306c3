import type { Figures } from './figures.ts';

/**
 * Checks the figures of a simulation for what must never happen, even during failures.
 * @returns a description of each violation
 */
export const brokenPromises = (figures: Figures, options: { isCalm: boolean }): string[] => {
  const { lost, repeated, renamed, unexpected, violations, failures, rejected, stateKB, assistant } = figures;
  const problems: string[] = [];
  if (lost > 0) problems.push(`${lost} events were lost`);
  if (repeated > 0) problems.push(`${repeated} events were repeated without a crash`);
  if (renamed > 0) problems.push(`${renamed} events were repeated with a different eventId`);
  if (unexpected > 0) problems.push(`${unexpected} items were about something that had not happened`);
  for (const wrong of assistant?.wrong ?? []) problems.push(`the assistant got a wrong answer: ${wrong}`);
  // Common MCP clients give up after a minute.
  if (assistant && assistant.longestCall >= 60)
    problems.push(`one of the assistant's calls took ${assistant.longestCall} s`);
  if (violations > 0) problems.push(`${violations} requests broke a rule of the API docs`);
  if (options.isCalm) problems.push(...failures);
  // After a crash, a 429 is possible: the new process does not know what the previous one sent within the last minute.
  if (options.isCalm && rejected > 0) problems.push(`${rejected} requests were rejected with 429`);
  if (stateKB > 300) problems.push(`a saved state had ${stateKB.toFixed(0)} kB`);
  return problems;
};

/**
 * Compares the figures with the longest times allowed while the API and n8n are up.
 * @param triggers number of triggers; each sends at least one request a minute, which slows an export
 * @returns a description of each time that was exceeded
 */
export const missedTimes = (
  { delay, fromList, exportSeconds }: Figures,
  exportAloneSeconds: number,
  triggers = 2,
): string[] => {
  const problems: string[] = [];
  const check = (name: string, value: number | undefined, most: number): void => {
    if (value !== undefined && value > most) problems.push(`${name}: ${value.toFixed(2)}, goal at most ${most}`);
  };
  check('new orders, median in s', delay.newOrder?.median, 45);
  check('new orders, 95th percentile in s', delay.newOrder?.p95, 120);
  check('paid, 95th percentile in s', delay.paid?.p95, 120);
  check('completed, 95th percentile in s', delay.completed?.p95, 300);
  check('status of pending orders, 95th percentile in s', delay.pendingStatus?.p95, 120);
  check('license codes, 95th percentile in s', delay.licenseCode?.p95, 360);
  if (fromList !== undefined) check('From List after more than 5 s, share', 1 - fromList, 0.01);
  if (exportSeconds !== undefined)
    check('export next to other work / alone', exportSeconds / exportAloneSeconds, triggers <= 3 ? 1.35 : 1.5);
  return problems;
};
