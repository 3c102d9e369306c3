import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A script that runs in its own process. */
export interface Child {
  pid: number;
  /** Resolves with the script's next message. */
  next<Answer>(): Promise<Answer>;
  /** Sends a message and waits for the reply. */
  ask<Answer>(question: string): Promise<Answer>;
  /** Resolves when the process has ended. */
  ended: Promise<unknown>;
  disconnect(): void;
}

/** Starts a script. @param job sent to the script as its first message */
export const startChild = (script: URL, job?: object): Child => {
  const child: ChildProcess = fork(fileURLToPath(script), { execArgv: [] });
  const ended = once(child, 'exit');
  if (job) child.send(job);
  const next = async <Answer>(): Promise<Answer> => (await once(child, 'message'))[0] as Answer;
  return {
    pid: child.pid ?? 0,
    next,
    async ask(question) {
      const answer = next<never>();
      child.send(question);
      return answer;
    },
    ended,
    disconnect: () => child.disconnect(),
  };
};
