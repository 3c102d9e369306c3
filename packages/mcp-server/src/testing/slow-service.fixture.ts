import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A service that answers when told to, and says when a request came and when its connection was gone. */
export const slowService = async () => {
  const waiting: (() => void)[] = [];
  let answering = false;
  const events = new EventEmitter();
  const [came, gone] = [once(events, 'came'), once(events, 'gone')];
  const listener: RequestListener = (_request, response) => {
    response.once('close', () => response.writableFinished || events.emit('gone'));
    const end = () => response.end('{"status":200,"data":{"user_id":7}}');
    if (answering) end();
    else waiting.push(end);
    events.emit('came');
  };
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const answerAll = () => {
    answering = true;
    for (const end of waiting) end();
  };
  return { baseUrl: `http://127.0.0.1:${port}/api/v1`, came, gone, answerAll };
};
