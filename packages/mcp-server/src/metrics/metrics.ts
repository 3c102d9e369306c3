import type { ClientEvent } from '@order-license/core/portable';
import type { CallRecord } from '../log/access-log.ts';

/** Counts since the process started. No label contains a key, or identifies a person or an order. */
export interface Metrics {
  /** Counts a tool call or a reveal. */
  call(call: Pick<CallRecord, 'event' | 'tool' | 'outcome'>): void;
  /** Counts a request to the API and its wait for a permit, or a 429. */
  event(event: ClientEvent): void;
  /** Returns the counts in the Prometheus text format. */
  text(): string;
}

const prefix = 'order_license_mcp_';

export const createMetrics = (): Metrics => {
  const calls = new Map<string, number>();
  const requests = new Map<string, number>();
  let waits = 0;
  let waitedMs = 0;
  let rateLimited = 0;

  return {
    call({ event, tool = event, outcome }) {
      count(calls, `{tool="${tool}",outcome="${outcome}"}`);
    },
    event(event) {
      if (event.type === 'rate_limited') rateLimited += 1;
      if (event.type !== 'request') return;
      waits += 1;
      waitedMs += event.waitMs;
      if (event.sent) count(requests, `{operation="${event.operation}",outcome="${event.code ?? 'ok'}"}`);
    },
    text: () =>
      [
        ...metric('calls_total', 'counter', 'Tool calls, and reveals in the order card.', [...calls]),
        ...metric('requests_total', 'counter', 'Requests sent to the API, including retries.', [...requests]),
        ...metric('rate_limited_total', 'counter', '429 responses from the API.', [['', rateLimited]]),
        ...metric('permit_wait_seconds', 'summary', 'Time that requests waited for a permit.', [
          ['_sum', waitedMs / 1000],
          ['_count', waits],
        ]),
        '',
      ].join('\n'),
  };
};

const count = (counts: Map<string, number>, labels: string): void => {
  counts.set(labels, (counts.get(labels) ?? 0) + 1);
};

/** @param values each with the suffix that follows the metric's name */
const metric = (name: string, type: string, help: string, values: [suffix: string, value: number][]): string[] => [
  `# HELP ${prefix}${name} ${help}`,
  `# TYPE ${prefix}${name} ${type}`,
  ...values.map(([suffix, value]) => `${prefix}${name}${suffix} ${value}`),
];
