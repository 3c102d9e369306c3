// Posts every new order, payment and license code to a webhook. Start it with: node examples/watch.ts
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { type ChangeEvent, type ChangesState, createClient } from '@order-license/core';
import { Webhook } from 'standardwebhooks';

const { env } = process;
const file = env.STATE_FILE ?? 'watch-state.json';
const client = createClient({
  baseUrl: env.ORDER_LICENSE_BASE_URL ?? '',
  apiKey: env.ORDER_LICENSE_API_KEY ?? '',
  // Set less than 60 if other programs use the same key.
  rateLimit: { requests: Number(env.REQUESTS_PER_MINUTE ?? 60) },
});

const load = (): ChangesState | undefined => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

/** Replaces the file in one step, so that a crash leaves either the old file or the new one. */
const save = (state: ChangesState): void => {
  const handle = openSync(`${file}.new`, 'w');
  writeFileSync(handle, JSON.stringify(state));
  fsyncSync(handle);
  closeSync(handle);
  renameSync(`${file}.new`, file);
};

const webhook = new Webhook(env.WEBHOOK_SECRET ?? '');

/** Posts an event, and repeats the request until the receiver has accepted the event. */
const post = async (event: ChangeEvent): Promise<void> => {
  const body = JSON.stringify(event);
  for (let waitMs = 1_000; ; waitMs = Math.min(2 * waitMs, 60_000)) {
    const now = new Date();
    const headers = {
      'content-type': 'application/json',
      'webhook-id': event.eventId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': webhook.sign(event.eventId, now, body),
    };
    const response = await fetch(env.WEBHOOK_URL ?? '', { method: 'POST', headers, body }).catch(() => undefined);
    if (response?.ok) return;
    console.error(
      `${event.eventId} was not accepted (${response?.status ?? 'no response'}), trying again in ${waitMs} ms`,
    );
    await setTimeout(waitMs);
  }
};

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
const events = client.watch({
  events: ['newOrder', 'paid', 'licenseCodeAvailable'],
  load,
  save,
  intervalMs: Number(env.INTERVAL_MS ?? 60_000),
  signal: stop.signal,
  onWarning: console.warn,
});
for await (const event of events) {
  await post(event);
  console.log(event.eventId);
}
await client.close();
