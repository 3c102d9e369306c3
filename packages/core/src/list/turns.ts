/** Runs steps one after another, in the order of the calls. */
export type Turns = <Result>(step: () => Promise<Result>, wait: WaitForTurn) => Promise<Result>;

/** Waits for a turn, or rejects when the caller stops waiting. */
export type WaitForTurn = (turn: Promise<void>) => Promise<void>;

export const createTurns = (): Turns => {
  let last: Promise<void> = Promise.resolve();
  let unfinished = 0;
  return async (step, wait) => {
    const turn = last;
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    last = turn.then(() => finished);
    unfinished += 1;
    try {
      if (unfinished > 1) await wait(turn);
      return await step();
    } finally {
      unfinished -= 1;
      finish();
    }
  };
};
