/** A body as text and as parsed JSON, or the reason that it can't be read. */
interface Body {
  text?: string;
  body?: unknown;
  problem?: string;
}

const maxBytes = 16_000_000;

/** Reads a body of up to 16 MB as JSON. Never rejects: `problem` says why the body can't be read. */
export const readBody = async (response: Response): Promise<Body> => {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      size += part.length;
      if (size > maxBytes) return { problem: 'body too large' };
      parts.push(part);
    }
  } catch {
    return { problem: 'body cut off' };
  }
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)));
  } catch {
    return { problem: 'bytes that are not UTF-8' };
  }
};

/** Parses a body. Never throws. */
export const parseJson = (text: string): Body => {
  if (text.trim() === '') return { text, problem: 'no body' };
  try {
    // The reviver is slower than the parsing itself, and is rarely needed.
    return { text, body: /\d{16}/.test(text) ? JSON.parse(text, exactInteger) : JSON.parse(text) };
  } catch {
    return { text, problem: /^\s*</.test(text) ? 'HTML' : 'no JSON' };
  }
};

/** Reads an integer above 2^53 as a bigint, since a number would lose digits. */
const exactInteger = ((_key: string, value: unknown, { source = '' }: { source?: string }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value) as (
  key: string,
  value: unknown,
) => unknown;
