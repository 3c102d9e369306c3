/** A client connection, to track which responses the client read before a request. */
export interface Connection {
  /** Call on close: the client has then read all its responses. */
  close(): void;
}

/** The wait that one or more 429s impose on a key. */
interface Wait {
  /** Time of the first 429. */
  since: number;
  until: number;
  /** Sequence number of the moment when the client last read one of the 429s. */
  read: number;
}

interface Opened extends Connection {
  /**
   * Sequence number of the moment when the connection opened. If a 429's `read` is lower, the client read that 429
   * before it sent this connection's next request.
   */
  opened: number;
  unread?: Wait | undefined;
}

/** A 429 counts as read after this time at the latest, ms. */
const maxReadMs = 1000;

/** Tracks each key's wait after a 429 (§8), and whether the client read the 429 before it sent its next request. */
export const createWaits = () => {
  /** The number of opened connections and read 429s so far. */
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
     * @param key the request's key, if it is known
     * @returns the remaining wait after a 429 that the client has read, ms; 0 or less if the wait is over
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
    /**
     * Registers a 429 that is sent now.
     * @param until when the client may send the next request
     * @param isEarly whether the rejected request itself was too early. Otherwise it was sent before the client had read
     * any 429, so the client need not wait longer than after the other one.
     */
    rejected(connection: Connection | undefined, key: string, now: number, until: number, isEarly: boolean): void {
      const known = waits.get(key);
      const isNew = !known || now < known.since || now >= known.until;
      const wait = isNew ? { since: now, until, read: Number.POSITIVE_INFINITY } : known;
      wait.until = isEarly ? until : Math.min(wait.until, until);
      waits.set(key, wait);
      if (connection) (connection as Opened).unread = wait;
      else wait.read = 0;
    },
    reset: () => waits.clear(),
  };
};
