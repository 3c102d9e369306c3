/**
 * Answers that one trigger has just received, for the other triggers of the same key: while an export needs the key,
 * they do not ask for the same again.
 */
export interface SharedAnswers {
  /**
   * Sends a request, or takes the answer to the same request of another trigger. A trigger never goes back in time: it
   * takes no answer that is older than one it has had before.
   */
  ask<Answer>(request: string, send: () => Promise<Answer>): Promise<Answer>;
}

/** The newest answer that a trigger has had, by `performance.now`. */
export interface ReadTime {
  latest: number;
}

interface Shared {
  sentAt: number;
  receivedAt: number;
  answer: unknown;
}

/** New orders may arrive so much later, ms. */
const maxAgeMs = 30_000;

const byKey = new Map<string, Map<string, Shared>>();

/** @param isShared whether answers are given to other triggers, and taken from them */
export const createSharedAnswers = (key: string, time: ReadTime, isShared: () => boolean): SharedAnswers => {
  const now = (): number => performance.now();
  return {
    async ask<Answer>(request: string, send: () => Promise<Answer>): Promise<Answer> {
      forgetOld(now());
      const answers = byKey.get(key) ?? new Map<string, Shared>();
      byKey.set(key, answers);
      const known = answers.get(request);
      if (known && known.sentAt >= time.latest && isShared()) {
        time.latest = known.receivedAt;
        return known.answer as Answer;
      }
      const sentAt = now();
      const answer = await send();
      const receivedAt = now();
      time.latest = receivedAt;
      if (answer !== undefined && isShared()) answers.set(request, { sentAt, receivedAt, answer });
      return answer;
    },
  };
};

const forgetOld = (now: number): void => {
  for (const [key, answers] of byKey) {
    for (const [request, { sentAt }] of answers) if (now - sentAt > maxAgeMs) answers.delete(request);
    if (answers.size === 0) byKey.delete(key);
  }
};
