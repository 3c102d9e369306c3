/**
 * Recent answers, shared by the triggers of a key: while an export needs the key, they do not repeat each other's
 * requests.
 */
export interface SharedAnswers {
  /**
   * Sends a request, or reuses another trigger's answer to it unless that is older than the newest answer of this
   * trigger.
   */
  ask<Answer>(request: string, send: () => Promise<Answer>): Promise<Answer>;
}

/** When a trigger received its newest answer, by `performance.now`. */
export interface ReadTime {
  latest: number;
}

interface Shared {
  sentAt: number;
  receivedAt: number;
  answer: unknown;
}

/** Maximum age of a shared answer, which can delay events, ms. */
const maxAgeMs = 30_000;

const byKey = new Map<string, Map<string, Shared>>();

/** @param isShared whether to share answers with other triggers */
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
