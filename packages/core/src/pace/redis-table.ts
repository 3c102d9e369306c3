import type { PermitTable } from './permit-table.ts';
import { permitScript } from './redis-script.ts';
import { maxFlightMs } from './store.ts';
import { withTimeout } from './with-timeout.ts';

/** Sends one command to Redis and resolves with its reply; any Redis client can do this. */
export type SendCommand = (command: string, ...args: string[]) => Promise<unknown>;

export interface RedisTableOptions {
  sendCommand: SendCommand;
  key: string;
  holdMs: number;
  close(): void;
}

/** Counts in Redis or Valkey. */
export const createRedisTable = ({ sendCommand, key, holdMs, close }: RedisTableOptions): PermitTable => {
  /** One key, so one cluster slot. The script has no flags, so Redis 7 and Valkey both accept it. */
  const run = async (command: 'take' | 'merge', ...args: (string | number)[]): Promise<number[]> => {
    const words = [command, holdMs, ...args].map(String);
    const reply = await withTimeout(sendCommand('EVAL', permitScript, '1', `order-license:{${key}}`, ...words));
    if (!Array.isArray(reply)) throw new Error('The reply to EVAL is not a list.');
    return reply.map(Number);
  };

  return {
    async take(id, requests) {
      const [granted, pausedMs = 0, ...returnsInMs] = await run('take', id, requests, maxFlightMs + holdMs);
      return granted === 1 ? 'granted' : { pausedMs, returnsInMs };
    },
    async merge({ permits, pausedMs }) {
      await run('merge', Math.max(0, pausedMs), ...[...permits].flat());
    },
    close,
  };
};
