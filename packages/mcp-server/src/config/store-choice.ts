import path from 'node:path';
import { configurationError } from '@order-license/core/host';

/** Where requests are counted: in this process, in a file of this machine, or in Redis for any number of machines. */
export type StoreChoice =
  | { kind: 'memory' }
  /** An absolute path, or undefined for the file in the state folder of the user. */
  | { kind: 'sqlite'; path: string | undefined }
  | { kind: 'redis'; url: string };

/**
 * Reads ORDER_LICENSE_STORE.
 * @throws `configuration`, without the value, which may hold the password of a Redis
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
    'ORDER_LICENSE_STORE must be `memory`, `sqlite`, `sqlite:` with an absolute path, or the address of a Redis such as redis://host:6379/0',
  );
};

/** The choice in words, for people; no password. */
export const describeStore = (choice: StoreChoice): string => {
  if (choice.kind === 'memory') return 'memory, for this process alone';
  if (choice.kind === 'redis') return `Redis at ${new URL(choice.url).host}`;
  return `SQLite, ${choice.path ?? 'in the state folder of the user'}`;
};
