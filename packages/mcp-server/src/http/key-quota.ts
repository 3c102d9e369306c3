import { createHash } from 'node:crypto';
import { Rejection } from '../auth/rejection.ts';

/**
 * Maximum number of different API keys within a minute: `maxOfSubject` for one signed-in person, `maxOfToken` for all
 * callers who share the access token.
 */
const [maxOfSubject, maxOfToken] = [8, 250];
const windowMs = 60_000;

/**
 * Counts the API key that a caller sends. Each key needs memory for a minute, and core counts requests for at most a
 * thousand keys. Without this limit, one caller could use up both.
 * @param subject undefined for callers with the access token, or without any token
 * @throws Rejection for a new key if the caller has sent too many
 */
export type TakeKey = (subject: string | undefined, apiKey: string) => void;

export const createKeyQuota = (now = () => performance.now()): TakeKey => {
  /** Time of each key's last use, by caller and then by hash of the key, the least recently used first. */
  const usedAt = new Map<string | undefined, Map<string, number>>();
  return (subject, apiKey) => {
    const at = now();
    const keys = usedAt.get(subject) ?? new Map<string, number>();
    for (const [key, since] of keys) if (since + windowMs <= at) keys.delete(key);
    const key = createHash('sha256').update(apiKey).digest('base64');
    const max = subject === undefined ? maxOfToken : maxOfSubject;
    const [oldest = at] = keys.values();
    if (!keys.delete(key) && keys.size >= max) {
      const seconds = Math.ceil(Math.round(oldest + windowMs - at) / 1000);
      const logged = `This caller sent ${max} different API keys within a minute; use one of them`;
      throw new Rejection(429, `${logged}, or try again in ${seconds} s.`, {
        logged: `${logged}.`,
        retryAfter: seconds,
      });
    }
    keys.set(key, at);
    usedAt.set(subject, keys);
  };
};
