import type { Figures } from './figures.ts';

/** Returns readable lines about how late events arrived, and how long an assistant's answers took. */
export const describeFigures = ({ delay, assistant }: Figures): string[] => {
  const delays = Object.entries(delay).map(
    ([kind, { count, median, p95 }]) => `${kind} ${count}: ${median.toFixed(0)}/${p95.toFixed(0)}`,
  );
  const lines = [`s from an event to its item, median/95th percentile: ${delays.join(', ')}`];
  if (!assistant) return lines;
  const { questions, medianQuestion, longestCall } = assistant;
  const times = `median ${medianQuestion.toFixed(1)} s, the longest call ${longestCall.toFixed(1)} s`;
  return [...lines, `assistant: ${questions} questions, ${times}`];
};
