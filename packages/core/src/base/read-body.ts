import { bodyTooLargeError } from './host-errors.ts';

interface BodyOptions {
  /** Status of the response. */
  status: number;
  /** Maximum length, bytes. */
  maxBytes: number;
  /** The caller's signal. */
  signal: AbortSignal | undefined;
}

/**
 * Reads a decoded body chunk by chunk. An error status is enough by itself (§7): if its body cannot be read or is too
 * long, returns an empty body.
 * @throws for a 200, or once `signal` has aborted: `invalid_response` as soon as the body is longer than `maxBytes`,
 * and any error of the stream
 */
export const readBody = async (
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { status, maxBytes, signal }: BodyOptions,
): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      length += chunk.length;
      if (length > maxBytes) throw bodyTooLargeError(maxBytes); // leaving the loop cancels the rest of the body
      chunks.push(chunk);
    }
  } catch (error) {
    if (status === 200 || signal?.aborted) throw error;
    return new Uint8Array();
  }
  const body = new Uint8Array(length);
  let end = 0;
  for (const chunk of chunks) {
    body.set(chunk, end);
    end += chunk.length;
  }
  return body;
};
