/** A client connection, to track which responses the client read before a request. */
export interface Connection {
  /** Call on close: the client has then read all its responses. */
  close(): void;
}

/** Tracks the waits after a 429 (§8), and whether the client had read the 429 before its next request. */
export interface Waits {
  open(): Connection;
  /** Registers a request. Call before `earlyMs` and `rejected`. */
  arrived(connection: Connection | undefined, now: number): Arrival;
  reset(): void;
}

/** Without a connection, each response counts as read before the next request. */
export interface Arrival {
  /** Returns the remaining wait after a 429 that the client has read, ms; 0 or less if it is over. */
  earlyMs(key: string): number;
  /** Registers a 429. @param waitMs how long the client should wait */
  rejected(key: string, waitMs: number): void;
}

interface RateLimitAnswer {
  at: number;
  waitMs: number;
}

interface State extends Connection {
  /** Sequence number, shared by opened connections and read 429s. */
  opened: number;
  used: boolean;
  unread?: RateLimitAnswer & { key: string };
}

/** A 429 counts as read after this time in any case, ms. */
const maxReadMs = 1000;

export const createWaits = (): Waits => {
  let moment = 0;
  const read = new Map<string, RateLimitAnswer & { moment: number }>();
  /** The first possibly unread 429 of each key. */
  const unread = new Map<string, RateLimitAnswer>();

  const setRead = (key: string, { at, waitMs }: RateLimitAnswer, when: number): void => {
    const known = read.get(key);
    if (!known || known.at <= at) read.set(key, { at, waitMs, moment: when });
  };
  const readAll = (connection: State): void => {
    const { unread: rejection } = connection;
    if (!rejection) return;
    delete connection.unread;
    // A reset ends all waits.
    if (unread.delete(rejection.key) || read.has(rejection.key)) setRead(rejection.key, rejection, ++moment);
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
          // The connection was opened before the 429 was read, so the request may have been in flight.
          if (isFirst && connection && connection.opened < last.moment && now - last.at < maxReadMs) return 0;
          return last.at + last.waitMs - now;
        },
        rejected(key, waitMs) {
          const rejection = { at: now, waitMs };
          if (!connection) return setRead(key, rejection, 0);
          connection.unread = { key, ...rejection };
          if (!unread.has(key)) unread.set(key, rejection);
        },
      };
    },
    reset() {
      read.clear();
      unread.clear();
    },
  };
};
