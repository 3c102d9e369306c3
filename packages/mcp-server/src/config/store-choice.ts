import path from 'node:path';
import { configurationError } from '@order-license/core/host';

/**
 * The store in which requests are counted: this process, a file on this machine, or Redis for any number of machines.
 */
export type StoreChoice =
  | { kind: 'memory' }
  /** An absolute path; undefined means the file in the user's state folder. */
  | { kind: 'sqlite'; path: string | undefined }
  | { kind: 'redis'; url: string };

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
  if (/^rediss?:\/\/./.test(value) && URL.canParse(value)) return { kind: 'redis', url: value };
  throw configurationError(
    'ORDER_LICENSE_STORE must be `memory`, `sqlite`, `sqlite:` followed by an absolute path, or a Redis address such as redis://host:6379/0',
  );
};

/** Describes the choice for people, without a password. */
export const describeStore = (choice: StoreChoice): string => {
  if (choice.kind === 'memory') return 'memory, for this process only';
  if (choice.kind === 'redis') return `Redis at ${new URL(choice.url).host}`;
  return `SQLite, ${choice.path ?? "in the user's state folder"}`;
};
