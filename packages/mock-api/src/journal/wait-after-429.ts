/** A client connection, to track which responses the client read before a request. */
export interface Connection {
  /** Call on close: the client has then read all its responses. */
  close(): void;
}

/** The wait of a key, after one 429 or several. */
interface Wait {
  /** Time of the first 429. */
  since: number;
  until: number;
  /** When the client last read one of them, as a sequence number. */
  read: number;
}

interface Opened extends Connection {
  /** Sequence number. A 429 that was read before it was read before the next request was sent. */
  opened: number;
  unread?: Wait | undefined;
}

/** A 429 counts as read after this time in any case, ms. */
const maxReadMs = 1000;

/** Tracks the waits after a 429 (§8), and whether the client had read the 429 before its next request. */
export const createWaits = () => {
  /** Counts opened connections and read 429s. */
  let moment = 0;
  const waits = new Map<string, Wait>();
  const readAll = (connection: Opened): void => {
    const { unread } = connection;
    if (unread) unread.read = ++moment;
    connection.unread = undefined;
  };

  return {
    open(): Connection {
      const connection: Opened = { opened: ++moment, close: () => readAll(connection) };
      return connection;
    },
    /**
     * Registers a request. Without a connection, each response counts as read before the next request.
     * @param key of the request, if it is known
     * @returns the remaining wait after a 429 that the client has read, ms; 0 or less if it is over
     */
    earlyMs(given: Connection | undefined, key: string | undefined, now: number): number {
      const connection = given as Opened | undefined;
      const opened = connection?.opened ?? Number.POSITIVE_INFINITY;
      if (connection) {
        readAll(connection);
        connection.opened = Number.POSITIVE_INFINITY;
      }
      const wait = key === undefined ? undefined : waits.get(key);
      // Setting the clock back resets the limits.
      if (!wait || now < wait.since) return 0;
      return wait.read < opened || now >= wait.since + maxReadMs ? wait.until - now : 0;
    },
    /** Registers a 429. @param waitMs how long the client should wait */
    rejected(connection: Connection | undefined, key: string, now: number, waitMs: number): void {
      const known = waits.get(key);
      const isNew = !known || now < known.since || now >= known.until;
      const wait = isNew ? { since: now, until: 0, read: Number.POSITIVE_INFINITY } : known;
      wait.until = now + waitMs;
      waits.set(key, wait);
      if (connection) (connection as Opened).unread = wait;
      else wait.read = 0;
    },
    reset: () => waits.clear(),
  };
};
