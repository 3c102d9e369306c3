import { readFile } from 'node:fs/promises';
import https from 'node:https';
import { certificateFiles } from '@order-license/testing/certificate';
import { Agent, interceptors, MockAgent, ProxyAgent, RetryAgent } from 'undici';
import * as undici6 from 'undici6';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../serve.fixture.ts';
import { createClient } from './node-client.ts';
import { createNodeHost } from './node-host.ts';

const baseUrl = 'https://dispatcher.example/api/v1';

test('sends requests through the caller’s dispatcher', async () => {
  const dispatcher = new MockAgent();
  onTestFinished(() => dispatcher.close());
  dispatcher.disableNetConnect();
  const data = { user_id: 7 };
  dispatcher
    .get('https://dispatcher.example')
    .intercept({ path: '/api/v1/me', headers: { authorization: 'Bearer key' } })
    .reply(200, { status: 200, data });
  expect(await createClient({ baseUrl, apiKey: 'key', dispatcher }).getMe()).toEqual(data);
});

test('an `Agent` with its own CA reaches an API whose certificate is otherwise untrusted [U-61]', async () => {
  const files = await certificateFiles();
  const { service } = await startMock(files);
  const dispatcher = new Agent({ connect: { ca: await readFile(files.tlsCert, 'utf8') } });
  onTestFinished(() => dispatcher.close());
  await using trusting = createClient({ ...service, dispatcher });
  await expect(trusting.getMe()).resolves.toHaveProperty('user_id');
  await expect(createClient(service).getMe()).rejects.toMatchObject({
    code: 'connection',
    reason: expect.stringContaining('SELF_SIGNED'),
    attempts: 1,
    retryable: false,
  });
  await trusting.close();
  expect(dispatcher).toMatchObject({ closed: false, destroyed: false });
});

test.each([
  ['Agent of undici 6, which does not report when it sends a request', new undici6.Agent(), 'older than 7'],
  ['MockAgent of undici 6', new undici6.MockAgent(), 'older than 7'],
  ['https.Agent', new https.Agent(), 'is not a dispatcher of undici'],
  ['object', {}, 'is not a dispatcher of undici'],
  ['class', Agent, 'is not a dispatcher of undici'],
  ['address', 'http://127.0.0.1:9', 'is not a dispatcher of undici'],
  ['false value', false, 'is not a dispatcher of undici'],
])('rejects a dispatcher that is not from undici 7 or newer (%s)', (_, dispatcher, words) => {
  const failure = expect.objectContaining({ code: 'configuration', message: expect.stringContaining(words) });
  expect(() => createClient({ baseUrl, apiKey: 'key', dispatcher: dispatcher as never })).toThrow(failure);
  expect(() => createNodeHost(dispatcher as never)).toThrow(failure);
});

test('accepts every kind of undici dispatcher, including a composed one', () => {
  const agent = new Agent();
  const composed = agent.compose(interceptors.retry());
  const dispatchers = [agent, composed, new MockAgent(), new ProxyAgent('http://127.0.0.1:9'), new RetryAgent(agent)];
  for (const dispatcher of dispatchers)
    expect(() => createClient({ baseUrl, apiKey: 'key', dispatcher })).not.toThrow();
});
