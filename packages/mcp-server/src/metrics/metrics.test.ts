import type { ClientEvent } from '@order-license/core/portable';
import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

const request: ClientEvent = {
  type: 'request',
  operation: 'getOrder',
  orderId: '4711',
  priority: 'interactive',
  consumer: 'a person',
  attempt: 1,
  waitMs: 1_500,
  durationMs: 20,
  status: 200,
  code: undefined,
  sent: true,
};

test('counts calls, requests, waits and 429s, without identifying a person or an order', () => {
  const metrics = createMetrics();
  metrics.call({ event: 'tool_call', tool: 'order_license_get_me', outcome: 'ok' });
  metrics.call({ event: 'tool_call', tool: 'order_license_get_me', outcome: 'ok' });
  metrics.call({ event: 'reveal', outcome: 'expired' });
  metrics.event(request);
  metrics.event({ ...request, code: 'rate_limited', status: 429 });
  metrics.event({ ...request, code: 'connection', sent: false });
  metrics.event({ type: 'rate_limited', operation: 'getOrder', pauseMs: 61_000 });
  const values = metrics
    .text()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(values).toEqual([
    'order_license_mcp_calls_total{tool="order_license_get_me",outcome="ok"} 2',
    'order_license_mcp_calls_total{tool="reveal",outcome="expired"} 1',
    'order_license_mcp_requests_total{operation="getOrder",outcome="ok"} 1',
    'order_license_mcp_requests_total{operation="getOrder",outcome="rate_limited"} 1',
    'order_license_mcp_rate_limited_total 1',
    'order_license_mcp_permit_wait_seconds_sum 4.5',
    'order_license_mcp_permit_wait_seconds_count 3',
  ]);
  expect(metrics.text()).not.toMatch(/4711|a person/);
});
