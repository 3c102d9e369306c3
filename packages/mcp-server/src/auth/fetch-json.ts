import { Agent, EnvHttpProxyAgent } from 'undici';

/** Maximum time of one attempt to read something from the issuer, ms: calls wait for it. */
export const timeoutMs = 5_000;
const maxBytes = 1_048_576;

/** Why the answer is missing or unusable. */
export interface FetchProblem {
  /** In a few words. */
  problem: string;
  /** Whether there was no answer, or one that asks to retry: the same request may work in a minute. */
  isAway: boolean;
}

/** A JSON object from an address; by default, waits five seconds for it. */
export type FetchJson = (
  url: string,
  signal?: AbortSignal,
) => Promise<{ json: Record<string, unknown> } | FetchProblem>;

let direct: Agent | undefined;
let proxied: EnvHttpProxyAgent | undefined;

/**
 * Reads a JSON object from the issuer, through the proxy in HTTPS_PROXY or HTTP_PROXY, like the shop's client. Doesn't
 * follow redirects.
 */
export const fetchJson: FetchJson = async (address, signal = AbortSignal.timeout(timeoutMs)) => {
  const url = new URL(address);
  let isAnswered = false;
  try {
    const { statusCode, body } = await dispatcherFor(url).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { accept: 'application/json', 'user-agent': 'order-license-mcp' },
      signal,
    });
    isAnswered = true;
    const text = await body.text();
    if (statusCode !== 200) return { problem: `HTTP status ${statusCode}`, isAway: statusCode >= 500 };
    const json = JSON.parse(text);
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { json };
    return { problem: 'not a JSON object', isAway: false };
  } catch (error) {
    return { problem: explain(error), isAway: !isAnswered };
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

/** Only codes: a message could quote the answer. */
const explain = (error: unknown): string => {
  if (error instanceof SyntaxError) return 'not JSON';
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z0-9_]+$/.test(code) ? code : 'no connection';
};
