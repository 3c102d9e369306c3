import { createServer, type Socket } from 'node:net';
import { listenOnLoopback } from '@order-license/testing/loopback';

/** Starts a server that keeps one text as a Redis does for the script of the store, and replies `OK` to anything else. */
export const startRedis = async () => {
  const sockets = new Set<Socket>();
  let text = 'null';
  const evaluate = (expected?: string, next?: string): string => {
    const seconds = Math.floor(Date.now() / 1000);
    if (expected !== text || next === undefined) return `*3\r\n$${text.length}\r\n${text}\r\n:${seconds}\r\n:0\r\n`;
    text = next;
    return '+OK\r\n';
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = '';
    socket.on('data', (data) => {
      received += data;
      for (let words = readCommand(received); words; words = readCommand(received)) {
        received = received.slice(words.length);
        const [name, , , , expected, next] = words.list;
        socket.write(name === 'EVAL' ? evaluate(expected, next) : '+OK\r\n');
      }
    });
  });
  const { port } = await listenOnLoopback(server);
  const closeConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { port, closeConnections };
};

/** Reads the first command, an array of strings; undefined while it is incomplete. */
const readCommand = (received: string): { list: string[]; length: number } | undefined => {
  const [head = '', count] = /^\*(\d+)\r\n/.exec(received) ?? [];
  const list: string[] = [];
  let at = head.length;
  while (list.length < Number(count)) {
    const [start = '', length] = /^\$(\d+)\r\n/.exec(received.slice(at)) ?? [];
    const from = at + start.length;
    at = from + Number(length) + 2;
    if (!start || received.length < at) return undefined;
    list.push(received.slice(from, at - 2));
  }
  return count === undefined ? undefined : { list, length: at };
};
