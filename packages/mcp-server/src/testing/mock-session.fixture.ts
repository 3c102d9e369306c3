import { type ClientOptions, createClient } from '@order-license/core';
import { type ListenOptions, listen } from '@order-license/mock-api';
import { onTestFinished } from 'vitest';
import type { Masking } from '../answers/masked-answer.ts';
import { connectInProcess } from './in-process.fixture.ts';
import { callsOf } from './mcp-session.fixture.ts';

/** Connects a client to a server in this process, whose API is a mock. By default, neither has a rate limit. */
export const connectToMock = async (
  mockOptions: ListenOptions = {},
  { masking, folder, ...more }: Partial<ClientOptions> & { masking?: Masking; folder?: string } = {},
) => {
  const mock = await listen({ limit: 'off', ...mockOptions });
  onTestFinished(() => mock.close());
  const rateLimit = { requests: 100_000, minGapMs: 0 };
  const account = { baseUrl: mock.baseUrl, apiKey: mock.keys.business };
  const client = await connectInProcess(
    async (onEvent) => createClient({ ...account, rateLimit, onEvent, ...more }),
    masking,
    folder,
  );
  return { mock, ...callsOf(client) };
};
