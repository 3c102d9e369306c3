/** A client connection, for tracking which answers the client has read before a request. */
export interface Connection {
  /** Call when it has closed: the client has read all its answers. */
  close(): void;
}

/** The waits after a 429 (§8), and whether the client had read the 429 before its next request. */
export interface Waits {
  open(): Connection;
  /** Registers a request. Call before `earlyMs` and `refused`. */
  arrived(connection: Connection | undefined, now: number): Arrival;
  reset(): void;
}

/** Without a connection, each answer counts as read before the next request. */
export interface Arrival {
  /** The rest of the wait after a 429 that the client has read, in ms; 0 or less if it is over. */
  earlyMs(key: string): number;
  /** Registers a 429. @param waitMs how long the client should wait */
  refused(key: string, waitMs: number): void;
}

interface RateLimitAnswer {
  at: number;
  waitMs: number;
}

interface State extends Connection {
  /** Sequence number among all openings and reads of connections. */
  opened: number;
  used: boolean;
  unread?: RateLimitAnswer & { key: string };
}

/** ms after which a 429 counts as read in any case. */
const maxReadMs = 1000;

export const createWaits = (): Waits => {
  let moment = 0;
  const read = new Map<string, RateLimitAnswer & { moment: number }>();
  /** The first 429 of each key that isn't known to be read. */
  const unread = new Map<string, RateLimitAnswer>();

  const setRead = (key: string, { at, waitMs }: RateLimitAnswer, when: number): void => {
    const known = read.get(key);
    if (!known || known.at <= at) read.set(key, { at, waitMs, moment: when });
  };
  const readAll = (connection: State): void => {
    const { unread: refusal } = connection;
    if (!refusal) return;
    delete connection.unread;
    // A reset ends all waits.
    if (unread.delete(refusal.key) || read.has(refusal.key)) setRead(refusal.key, refusal, ++moment);
  };

  return {
    open() {
      const connection: State = { opened: ++moment, used: false, close: () => readAll(connection) };
      return connection;
    },
    arrived(given, now) {
      const connection = given as State | undefined;
      const isFirst = connection?.used === false;
      if (connection) {
        readAll(connection);
        connection.used = true;
      }
      return {
        earlyMs(key) {
          const waiting = unread.get(key);
          if (waiting && (now < waiting.at || now - waiting.at >= maxReadMs)) {
            unread.delete(key);
            setRead(key, waiting, 0);
          }
          const last = read.get(key);
          // Setting the clock back resets the limits.
          if (!last || now < last.at) return 0;
          // The connection is older than the read of the 429, so the request was already in flight.
          if (isFirst && connection && connection.opened < last.moment) return 0;
          return last.at + last.waitMs - now;
        },
        refused(key, waitMs) {
          const refusal = { at: now, waitMs };
          if (!connection) return setRead(key, refusal, 0);
          connection.unread = { key, ...refusal };
          if (!unread.has(key)) unread.set(key, refusal);
        },
      };
    },
    reset() {
      read.clear();
      unread.clear();
    },
  };
};
