import { DurableObject } from 'cloudflare:workers';
import * as core from '@order-license/core';
import { runStep } from './steps.js';

const limit = { requests: 3, windowMs: 400, guardMs: 20 };

/** A store that all requests in the isolate share. */
let granted = [];
const store = {
  async take() {
    const now = performance.now();
    granted = granted.filter((at) => at > now - limit.windowMs);
    if (granted.length >= limit.requests) return { retryAt: granted[0] + limit.windowMs };
    granted.push(now);
    return { permit: { id: now } };
  },
  settle: async () => undefined,
  pause: async () => undefined,
};

const readStep = (request) => JSON.parse(decodeURIComponent(new URL(request.url).search.slice(1)));

const ways = {
  ownClient: (service) => core.createClient({ ...service, rateLimit: limit }).getMe(),
  oneStore: (service) => core.createClient({ ...service, store }).getMe(),
  oneClient: (service, env) => env.CLIENTS.getByName(service.apiKey).getMe(service),
};

/** A Durable Object that holds the only client of a key. */
export class ApiKeyClient extends DurableObject {
  getMe(service) {
    this.client ??= core.createClient({ ...service, rateLimit: limit });
    return this.client.getMe();
  }
}

export default {
  async fetch(request, env) {
    const { name, ...service } = readStep(request);
    return Response.json(await (ways[name]?.(service, env) ?? runStep(core, name, service)));
  },
};
