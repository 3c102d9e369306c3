import { Rejection } from '../auth/rejection.ts';

/**
 * The form in which a client reads responses: `json`, or a stream of server-sent events; `either` if it names both.
 */
export type ResponseForm = 'json' | 'stream' | 'either';

/**
 * Reads the Accept header, in any letters. A client that names no stream gets JSON, since it may not read streams.
 * @param accept undefined if the client sent none, which allows everything
 * @throws Rejection if the header allows neither form
 */
export const readAccept = (accept = '*/*'): ResponseForm => {
  const allowed = new Set(accept.toLowerCase().split(',').filter(isWanted).map(typeOf));
  const stream = allowed.has('text/event-stream') || allowed.has('text/*');
  const json = allowed.has('application/json') || allowed.has('application/*') || allowed.has('*/*');
  if (stream) return json ? 'either' : 'stream';
  if (json) return 'json';
  throw new Rejection(406, 'The Accept header must allow application/json or text/event-stream.');
};

const typeOf = (range: string): string => range.split(';', 1).join('').trim();

/** A quality of 0 means that the client does not accept the type. */
const isWanted = (range: string): boolean => !/;\s*q=0(\.0*)?\s*(;|$)/.test(range);

/** Returns a stream's response as JSON. The notifications before it are dropped. */
export const asJson = async (response: Response): Promise<Response> => {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
  const lines = (await response.text()).split('\n').filter((line) => /^data: ?\{/.test(line));
  const answer = lines.map((line) => JSON.parse(line.slice('data:'.length))).find((message) => !('method' in message));
  if (answer === undefined) throw new Error('The stream ended without a response.');
  return Response.json(answer);
};
