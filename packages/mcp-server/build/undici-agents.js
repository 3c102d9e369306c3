// Replaces undici in the bundle with only the dispatchers that core uses.

import api from 'undici/lib/api/index.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';

// As in undici's own entry point, adds `request` and similar methods to every dispatcher.
Object.assign(Dispatcher.prototype, api);

export { Agent, Pool, ProxyAgent };
