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
      for (let command = readCommand(received); command; command = readCommand(received)) {
        received = command.rest;
        const [name, , , , expected, next] = command.words;
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

/** Reads the first command, an array of strings, each after its length; undefined while it is incomplete. */
const readCommand = (received: string): { words: string[]; rest: string } | undefined => {
  const [head = '', ...lines] = received.split('\r\n');
  const end = 2 * Number(head.slice(1));
  if (lines.length <= end) return undefined;
  return { words: lines.slice(0, end).filter((_, line) => line % 2 === 1), rest: lines.slice(end).join('\r\n') };
};
