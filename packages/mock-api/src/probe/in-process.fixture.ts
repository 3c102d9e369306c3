import type { Mock } from '../mock.ts';
import { type ProbeOptions, type ProbeReport, probe } from './probe.ts';

export const frozenAt = Date.UTC(2026, 10, 22, 6, 0, 3);
export const baseUrl = 'http://127.0.0.1/api/v1';
export const all = { withMalformed: true };
export const reads = { withMalformed: false };

export type Asked = Pick<ProbeOptions, 'withMalformed'>;
export type FetchLike = ProbeOptions['fetch'];

/** Advances the mock's clock in place of waiting. */
export const sleepOf =
  ({ clock }: Pick<Mock, 'clock'>): ProbeOptions['sleep'] =>
  async (ms, signal) => {
    signal?.throwIfAborted();
    clock.advance(ms);
  };

/** Probes a mock in this process, in virtual time. */
export const probeMock = (mock: Mock, asked: Asked, more: Partial<ProbeOptions> = {}): Promise<ProbeReport> =>
  probe({ baseUrl, apiKey: mock.keys.business, fetch: mock.fetch, sleep: sleepOf(mock), ...asked, ...more });
