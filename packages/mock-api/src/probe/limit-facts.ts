import type { Question } from './questions.ts';
import type { Reply } from './reply.ts';
import { factsOfReply } from './reply-facts.ts';

/** A request of the probe, to be sent to a mock at the same time. */
export interface Sent {
  question: Question;
  /** ms since 1970, by the clock of the service. */
  at: number;
}

/** Which requests the rate limit rejected, when they passed again, and how the first 429 looks. */
export const factsOfLimit = (sent: readonly Sent[], replies: readonly Reply[]): string[] => {
  const isRejected = replies.map(({ status }) => status === 429);
  const first = isRejected.indexOf(true);
  if (first < 0) return [`requests before the first 429: ${replies.length}`, 'requests pass again: never rejected'];
  const again = isRejected.indexOf(false, first);
  const seconds = Math.round(((sent[again]?.at ?? 0) - (sent[first]?.at ?? 0)) / 1000);
  return [
    `requests before the first 429: ${first}`,
    // A coarse fact, too, since a slightly different limit shifts the others.
    `requests pass again: ${again < 0 ? 'not' : seconds < 10 ? 'at once' : 'later'}`,
    `seconds until requests pass again: ${again < 0 ? 'more' : seconds}`,
    ...isRejected.map((rejected, n) => `request ${n + 1}: ${rejected ? 'rejected' : 'passes'}`),
    ...factsOfReply(replies[first]).map((fact) => `429 ${fact}`),
  ];
};
