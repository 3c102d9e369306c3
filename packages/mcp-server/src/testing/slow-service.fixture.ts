import { EventEmitter, once } from 'node:events';
import type { RequestListener } from 'node:http';
import { startPlainServer } from './plain-server.fixture.ts';

/**
 * Starts an API that responds only after `answerAll()`. `came` resolves at the first request, and `gone` when its
 * caller disconnects.
 */
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
  const origin = await startPlainServer(listener);
  const answerAll = () => {
    answering = true;
    for (const end of waiting) end();
  };
  return { baseUrl: `${origin}/api/v1`, came, gone, answerAll };
};
