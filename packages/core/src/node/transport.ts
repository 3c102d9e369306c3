import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import {
  bodyTooLargeError,
  connectionError,
  type Host,
  isOrderLicenseError,
  OrderLicenseError,
  timeoutError,
} from '../portable/index.ts';

const decoders = { gzip: promisify(gunzip), br: promisify(brotliDecompress) };

/**
 * Over HTTP/1.1 alone: an exchange that is given up then takes its connection with it. Over HTTP/2 only the stream would
 * end, so every retry would go over the connection that has just gone silent.
 */
const http1 = { allowH2: false };

let direct: Dispatcher | undefined;
let proxied: Dispatcher | undefined;

/**
 * One pool of connections for the process; through a proxy where HTTPS_PROXY or HTTP_PROXY says so. Plain HTTP is for
 * this machine alone: a proxy would read the API key.
 */
const agentFor = (origin: string): Dispatcher => {
  const { env } = process;
  const proxy = env.HTTPS_PROXY ?? env.https_proxy ?? env.HTTP_PROXY ?? env.http_proxy;
  if (!proxy || origin.startsWith('http:')) {
    direct ??= new Agent(http1);
    return direct;
  }
  try {
    proxied ??= new EnvHttpProxyAgent({ ...http1, proxyTls: http1 });
    return proxied;
  } catch {
    throw new OrderLicenseError(
      'configuration',
      'HTTPS_PROXY or HTTP_PROXY is not an address; give one such as http://proxy.example:3128, or unset it.',
    );
  }
};

/** `send` of a host over undici, which never follows redirects by itself. */
export const createSend =
  (apiKey: string): Host['send'] =>
  async ({ url, headers, signal, timeoutMs, maxBytes }) => {
    const { origin, pathname, search } = new URL(url);
    const abort = new AbortController();
    const onAbort = () => abort.abort();
    if (signal?.aborted) onAbort();
    const timer = setTimeout(() => abort.abort(timeoutError(timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const answer = await agentFor(origin).request({
        origin,
        path: pathname + search,
        method: 'GET',
        headers: { ...headers, authorization: `Bearer ${apiKey}`, 'accept-encoding': 'gzip, br' },
        signal: abort.signal,
      });
      const { statusCode: status, headers: received } = answer;
      const body = await readBody(answer.body, maxBytes)
        .then((raw) => decode(raw, String(received['content-encoding'] ?? ''), maxBytes))
        .catch((error: unknown) => {
          // Whatever is wrong with the body of an error, its status says what to do (§7).
          if (status === 200 || signal?.aborted) throw error;
          return Buffer.alloc(0);
        });
      return { status, headers: received, body };
    } catch (error) {
      throw readFailure(error, abort.signal);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  };

const readBody = (body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    body.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else body.destroy(bodyTooLargeError(maxBytes));
    });
    body.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)));
    body.on('error', reject);
  });

const decode = async (raw: Buffer, coding: string, maxBytes: number): Promise<Buffer> => {
  const encoding = coding.trim().toLowerCase();
  if (encoding === '' || encoding === 'identity' || raw.length === 0) return raw;
  const decoder = encoding === 'gzip' || encoding === 'br' ? decoders[encoding] : undefined;
  try {
    if (decoder) return await decoder(raw, { maxOutputLength: maxBytes });
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLargeError(maxBytes);
  }
  throw new OrderLicenseError(
    'invalid_response',
    'The answer is compressed in a way that cannot be read; check the base URL.',
  );
};

/** The one that an abort was for, or the code of the failure; never its message, which could quote a header. */
const readFailure = (error: unknown, aborted: AbortSignal): OrderLicenseError => {
  if (isOrderLicenseError(error)) return error;
  if (isOrderLicenseError(aborted.reason)) return aborted.reason;
  const code = codeOf(error);
  return connectionError(code);
};

const codeOf = (error: unknown): string | undefined => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : undefined;
};
