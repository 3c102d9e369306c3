import type { Figures } from './figures.ts';

/** Returns readable lines about how late events arrived, and how long an assistant's answers took. */
export const describeFigures = ({ delay, assistant }: Figures): string[] => {
  const delays = Object.entries(delay).map(
    ([kind, { count, median, p95 }]) => `${kind} ${count}: ${median.toFixed(0)}/${p95.toFixed(0)}`,
  );
  const lines = [`s from an event to its item, median/95th percentile: ${delays.join(', ')}`];
  if (!assistant) return lines;
  const { questions, medianQuestion, p95Question, longestQuestion, calls, heldBack, longestCall } = assistant;
  const times = [medianQuestion, p95Question, longestQuestion].map((time) => time.toFixed(1)).join('/');
  return [
    ...lines,
    `assistant: ${questions} questions, s to the complete answer, median/95th percentile/longest: ${times}`,
    `assistant: ${calls} calls, ${heldBack} of them told to retry later, the longest ${longestCall.toFixed(1)} s`,
  ];
};
