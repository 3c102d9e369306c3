/** A connection of a client, for what the client can know when it sends a request. */
export interface Connection {
  /** To be called when it has closed: the client has read what was sent on it. */
  close(): void;
}

/** The waits after a 429 (§8), and whether a client that comes back can have known of them. */
export interface Waits {
  open(): Connection;
  /** A request has come. To be called for each one, before `earlyMs` and `refused`. */
  arrived(connection: Connection | undefined, now: number): Arrival;
  reset(): void;
}

/** Without a connection, each answer counts as read before the next request. */
export interface Arrival {
  /** How much of a wait that the client knew of is left, in ms; 0 or less where nothing is. */
  earlyMs(key: string): number;
  /** The request gets 429. @param waitMs how long its client should wait */
  refused(key: string, waitMs: number): void;
}

interface RateLimitAnswer {
  at: number;
  waitMs: number;
}

interface State extends Connection {
  /** Its place among all times when a connection opened or was read. */
  opened: number;
  used: boolean;
  unread?: RateLimitAnswer & { key: string };
}

/** ms after which a 429 counts as read, whatever happened on its connection. */
const maxReadMs = 1000;

export const createWaits = (): Waits => {
  let moment = 0;
  const read = new Map<string, RateLimitAnswer & { moment: number }>();
  /** The first 429 of each key that nobody is known to have read. */
  const unread = new Map<string, RateLimitAnswer>();

  const setRead = (key: string, { at, waitMs }: RateLimitAnswer, when: number): void => {
    const known = read.get(key);
    if (!known || known.at <= at) read.set(key, { at, waitMs, moment: when });
  };
  const readAll = (connection: State): void => {
    const { unread: refusal } = connection;
    if (!refusal) return;
    delete connection.unread;
    // After a reset nobody waits for what was before.
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
          // A clock that was set back starts the limits again.
          if (!last || now < last.at) return 0;
          // A connection from before the client had read the 429: the request was under way then.
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
