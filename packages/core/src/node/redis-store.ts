import { longestFlightMs } from '../portable/ledger.ts';
import { answerInTime } from './answer-in-time.ts';
import type { LedgerStore } from './ledger-store.ts';
import { ledgerScript } from './redis-script.ts';

/** Sends one command to Redis and resolves with its reply: what all Redis clients can do. */
export type SendCommand = (command: string, ...args: string[]) => Promise<unknown>;

export interface RedisStoreOptions {
  sendCommand: SendCommand;
  key: string;
  holdMs: number;
  close(): void;
}

/** Counts in Redis or Valkey. */
export const createRedisStore = ({ sendCommand, key, holdMs, close }: RedisStoreOptions): LedgerStore => {
  /** One key, and so one slot of a cluster; the script without flags, which Redis 7 and Valkey take alike. */
  const run = async (command: 'take' | 'merge', ...args: (string | number)[]): Promise<number[]> => {
    const words = [command, holdMs, ...args].map(String);
    const reply = await answerInTime(sendCommand('EVAL', ledgerScript, '1', `order-license:{${key}}`, ...words));
    if (!Array.isArray(reply)) throw new Error('The reply to EVAL is no list.');
    return reply.map(Number);
  };

  return {
    async take(id, requests) {
      const [granted, pausedMs = 0, ...returnsInMs] = await run('take', id, requests, longestFlightMs + holdMs);
      return granted === 1 ? 'granted' : { pausedMs, returnsInMs };
    },
    async merge({ permits, pausedMs }) {
      await run('merge', Math.max(0, pausedMs), ...[...permits].flat());
    },
    close,
  };
};
