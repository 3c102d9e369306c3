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

let agent: Dispatcher | undefined;

/** One pool of connections for the process; through a proxy where HTTPS_PROXY or HTTP_PROXY says so. */
const sharedAgent = (): Dispatcher => {
  const { env } = process;
  const proxied = env.HTTPS_PROXY ?? env.https_proxy ?? env.HTTP_PROXY ?? env.http_proxy;
  agent ??= proxied ? new EnvHttpProxyAgent() : new Agent();
  return agent;
};

/** `send` of a host over undici, which never follows redirects by itself. */
export const createSend =
  (apiKey: string): Host['send'] =>
  async ({ url, headers, signal, timeoutMs, maxBytes }) => {
    const { origin, pathname, search } = new URL(url);
    const abort = new AbortController();
    const onAbort = () => abort.abort();
    const timer = setTimeout(() => abort.abort(timeoutError(timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const answer = await sharedAgent().request({
        origin,
        path: pathname + search,
        method: 'GET',
        headers: { ...headers, authorization: `Bearer ${apiKey}`, 'accept-encoding': 'gzip, br' },
        signal: abort.signal,
      });
      const raw = await readBody(answer.body, maxBytes);
      const body = await decode(raw, String(answer.headers['content-encoding'] ?? 'identity'), maxBytes);
      return { status: answer.statusCode, headers: answer.headers, body };
    } catch (error) {
      throw readFailure(error, abort.signal, timeoutMs);
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

const decode = async (raw: Buffer, encoding: string, maxBytes: number): Promise<Buffer> => {
  if (encoding === 'identity' || raw.length === 0) return raw;
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
const readFailure = (error: unknown, aborted: AbortSignal, timeoutMs: number): OrderLicenseError => {
  if (isOrderLicenseError(error)) return error;
  if (isOrderLicenseError(aborted.reason)) return aborted.reason;
  const code = codeOf(error);
  return code?.endsWith('_TIMEOUT') || code === 'ETIMEDOUT' ? timeoutError(timeoutMs) : connectionError(code);
};

const codeOf = (error: unknown): string | undefined => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : undefined;
};
