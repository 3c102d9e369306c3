import path from 'node:path';
import { configurationError, readRedisAddress } from '@order-license/core/host';
import type { ClientEvent } from '@order-license/core/portable';
import { atPlace } from './environment.ts';

/**
 * The store in which requests are counted: this process, a file on this machine, or Redis for any number of machines.
 */
export type StoreChoice =
  | { kind: 'memory' }
  /** An absolute path; undefined means the file in the user's state folder. */
  | { kind: 'sqlite'; path: string | undefined }
  /** `host` is host and port: the only part of the address to show to people. */
  | { kind: 'redis'; url: string; host: string };

/** The event that reports a store that cannot be used. */
export type StoreLoss = Extract<ClientEvent, { type: 'store_unavailable' }>;

/**
 * Reads ORDER_LICENSE_STORE.
 * @throws `configuration`; the error does not quote the value, which may contain the password for Redis
 */
export const readStoreChoice = (value: string, { isAbsolute } = path): StoreChoice => {
  if (value === 'memory') return { kind: 'memory' };
  if (value === 'sqlite') return { kind: 'sqlite', path: undefined };
  if (value.startsWith('sqlite:')) {
    const file = value.slice('sqlite:'.length);
    // Clients start their servers in different folders, so a relative path would not be shared.
    if (isAbsolute(file)) return { kind: 'sqlite', path: file };
  }
  if (/^(redis|valkey)s?:\/\/./i.test(value)) {
    const { url, host } = atPlace('ORDER_LICENSE_STORE', () => readRedisAddress(value));
    return { kind: 'redis', url, host };
  }
  throw configurationError(
    'ORDER_LICENSE_STORE must be `memory`, `sqlite`, `sqlite:` followed by an absolute path, or a Redis address such as redis://host:6379/0',
  );
};

/** Says what follows for the operator if the chosen store cannot be used. */
export const describeLoss = ({ problem, requests }: StoreLoss): string =>
  `cannot be used (${problem}); the server counts requests in memory instead and sends at most ${requests} per minute; check ORDER_LICENSE_STORE`;

/** Describes the choice for people, without a password. */
export const describeStore = (choice: StoreChoice): string => {
  if (choice.kind === 'memory') return 'memory, for this process only';
  if (choice.kind === 'redis') return `Redis at ${choice.host}`;
  return `SQLite, ${choice.path ?? "in the user's state folder"}`;
};
