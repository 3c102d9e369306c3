import { type ListenOptions, listen, type MockServer } from '@order-license/mock-api';
import { type FakeTime, installFakeTime } from '@order-license/testing/fake-time';
import { afterEach, beforeEach } from 'vitest';

/** The mock of the test that is running. */
export let service: MockServer;

/** Starts a mock for each test of a file. */
export const serveEach = (options: ListenOptions = {}): void => {
  beforeEach(async () => {
    service = await listen(options);
  });
  afterEach(async () => {
    time?.uninstall();
    time = undefined;
    await service.close();
  });
};

/** Replaces the mock of the test with one that has other options. */
export const serveInstead = async (options: ListenOptions): Promise<void> => {
  await service.close();
  service = await listen(options);
};

/** Returns the `data` that the mock sends for this path. */
export const readApi = async <Data>(path: string): Promise<Data> => {
  const headers = { authorization: `Bearer ${service.keys.business}`, accept: 'application/json' };
  const response = await fetch(service.baseUrl + path, { headers });
  return ((await response.json()) as { data: Data }).data;
};

/** When fake time starts. Freeze the mock's clock at this time. */
export const start = Date.UTC(2030, 0, 1);
let time: FakeTime | undefined;

/** Installs fake time until the end of the test. */
export const startFakeTime = (): void => {
  time = installFakeTime({ now: start });
};

/** Does the work in fake time, in which waits take no time. Also advances the mock's clock. */
export const passTime = async <Result>(work: Promise<Result>): Promise<Result> =>
  time ? time.run(work, { io: true, onPass: (ms) => service.clock.advance(ms) }) : work;
