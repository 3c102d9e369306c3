import { Agent, EnvHttpProxyAgent } from 'undici';

const timeoutMs = 5_000;
const maxBytes = 1_048_576;

/** What an address answers, or in a few words why nothing usable came. */
export type FetchJson = (url: string) => Promise<Record<string, unknown> | string>;

let direct: Agent | undefined;
let proxied: EnvHttpProxyAgent | undefined;

/**
 * Reads a JSON object from the issuer; through a proxy where HTTPS_PROXY or HTTP_PROXY says so, as the client of the
 * shop does. Redirects are not followed.
 */
export const fetchJson: FetchJson = async (address) => {
  const url = new URL(address);
  try {
    const { statusCode, body } = await dispatcherFor(url).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { accept: 'application/json', 'user-agent': 'order-license-mcp' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await body.text();
    if (statusCode !== 200) return `HTTP status ${statusCode}`;
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : 'not a JSON object';
  } catch (error) {
    return explain(error);
  }
};

const dispatcherFor = ({ protocol }: URL): Agent | EnvHttpProxyAgent => {
  const options = { allowH2: false, maxResponseSize: maxBytes };
  if (protocol === 'http:') {
    direct ??= new Agent(options);
    return direct;
  }
  proxied ??= new EnvHttpProxyAgent(options);
  return proxied;
};

/** Codes alone: a message could quote what was received. */
const explain = (error: unknown): string => {
  if (error instanceof SyntaxError) return 'not JSON';
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z0-9_]+$/.test(code) ? code : 'no connection';
};
