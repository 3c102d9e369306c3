import type { StartN8n } from '../../tests/soak/minutes/minutes.ts';
import { type N8nCount, parameters, useN8n } from '../../tests/soak/minutes/use-n8n.ts';
import { createHome } from './home.ts';
import { startReceiver } from './receiver.ts';
import { startServer } from './server.ts';
import { until } from './until.ts';
import { behindWebhook, orderLicense, orderLicenseTrigger, sendTo } from './workflows.ts';

/** Starts a real n8n under the load of the soak test: exports and single orders through webhooks, and a trigger. */
export const startRealN8n: StartN8n = async ({ truth, ...credential }) => {
  const count: N8nCount = { exports: 0, reads: 0, problems: [] };
  const receiver = await startReceiver(() => count.problems.push('a poll started a workflow'));
  const home = createHome();
  const trigger = orderLicenseTrigger({ events: ['newOrder', 'statusChanged'] });
  const send = sendTo(receiver.url, 'an item');
  const connections = { [trigger.name]: { main: [[{ node: send.name, type: 'main', index: 0 }]] } };
  const order = { __rl: true, mode: 'id', value: '={{ $json.query.id }}' };
  const workflows = [
    behindWebhook('list', orderLicense('list', parameters.list)),
    behindWebhook('get', orderLicense('get', { ...parameters.get, order })),
    { id: 'watch', name: 'watch', nodes: [trigger, send], connections },
  ];
  await home.importCredential(credential);
  await home.importWorkflows(workflows);
  for (const { id } of workflows) await home.run('publish:workflow', '--id', id);
  const server = await startServer(home);
  const call = async (path: string): Promise<object[]> => {
    const response = await fetch(`${server.url}/webhook/${path}`, { signal: end.signal });
    const body = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${body}`);
    return JSON.parse(body);
  };
  const end = new AbortController();
  const readOrder = async (id: number) => (await call(`get?id=${id}`))[0];
  await until('a webhook', () => readOrder(truth[0]?.[0] ?? 0).then(Boolean, () => false));
  const using = useN8n({ exportOrders: () => call('list'), readOrder }, truth, count, end.signal);
  let onEnd = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    onEnd = resolve;
  });
  return {
    pid: 0,
    ended,
    async ask<Answer>(question: string) {
      if (question === 'end') {
        end.abort();
        await using;
        await server.kill();
        receiver.close();
        home.remove();
        onEnd();
      }
      return count as Answer;
    },
  };
};
