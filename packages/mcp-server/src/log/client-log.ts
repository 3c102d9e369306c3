import { plainHttpHost } from '@order-license/core/host';
import type { ClientEvent } from '@order-license/core/portable';
import { describeLoss } from '../config/store-choice.ts';
import { writeLine } from './stderr.ts';

/**
 * Lines that were already logged. They are not repeated, because an API that differs from its docs does so in every
 * response.
 */
const said = new Set<string>();

/** Logs events for the operator to stderr. No event contains an API key or a license key. */
export const log = (event: ClientEvent): void => {
  const line = describe(event);
  if (line === undefined || said.has(line)) return;
  if (event.type === 'deviation' && said.size < 100) said.add(line);
  writeLine(event.traceparent === undefined ? line : `${line} (traceparent ${event.traceparent})`);
};

const describe = (event: ClientEvent): string | undefined => {
  switch (event.type) {
    case 'deviation':
      return `${event.operation}: the response differs from the API docs at ${fieldsOf(event.paths)}.`;
    case 'rate_limited':
      return `${event.operation}: the API returned 429 although this server stayed within the limit, so something else probably uses this API key; create a separate API key for each program. This server sends nothing for ${Math.ceil(event.pauseMs / 1000)} s.`;
    case 'store_unavailable':
      return `the rate-limit store ${describeLoss(event)}.`;
    case 'store_available':
      return 'the rate-limit store is available again.';
    default:
      return undefined;
  }
};

/** Lists field names without list indexes, so that the same field in fifty orders is reported once. */
const fieldsOf = (paths: readonly string[]): string =>
  [...new Set(paths.map((path) => path.replace(/\.\d+(?=\.|$)/g, '[]')))].join(', ');

/** Warns at startup if API keys and responses are sent unencrypted. */
export const warnOfPlainHttp = ({ baseUrl }: { baseUrl: string }): void => {
  const host = plainHttpHost(baseUrl);
  if (host !== undefined)
    writeLine(
      `API KEYS AND RESPONSES TRAVEL UNENCRYPTED BETWEEN THIS MACHINE AND ${host} (ORDER_LICENSE_ALLOW_HTTP_HOSTS).`,
    );
};
