import { Rejection } from '../auth/rejection.ts';
import { isStream } from './responses.ts';

/**
 * The form in which a client reads responses: `json`, or a stream of server-sent events; `either` if it names both.
 */
export type ResponseForm = 'json' | 'stream' | 'either';

/**
 * Reads the Accept header, in any letter case. A client that names no stream gets JSON, since it may not read streams.
 * @param accept undefined if the client sent none, which allows everything
 * @throws Rejection if the header allows neither form
 */
export const readAccept = (accept?: string): ResponseForm => {
  const ranges = new Map((accept || '*/*').toLowerCase().split(',').map(readRange));
  /** Whether the header allows the first of these ranges that it names; the most specific one comes first. */
  const allows = (...names: string[]): boolean =>
    names.map((name) => ranges.get(name)).find((isAllowed) => isAllowed !== undefined) === true;
  const json = allows('application/json', 'application/*', '*/*', '*');
  if (allows('text/event-stream', 'text/*')) return json ? 'either' : 'stream';
  if (json) return 'json';
  if (allows('text/event-stream', 'text/*', '*/*', '*')) return 'stream';
  throw new Rejection(406, 'The Accept header must allow application/json or text/event-stream.');
};

/** Reads one range of types, and whether it is allowed: a quality of 0 means that it is not. */
const readRange = (text: string): [name: string, isAllowed: boolean] => {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim());
  return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))];
};

/** Returns a stream's response as JSON. The notifications before it are dropped. */
export const asJson = async (response: Response): Promise<Response> => {
  if (!isStream(response)) return response;
  const lines = (await response.text()).split('\n').filter((line) => /^data: ?\{/.test(line));
  const answer = lines.map((line) => JSON.parse(line.slice('data:'.length))).find((message) => !('method' in message));
  if (answer === undefined) throw new Error('The stream ended without a response.');
  return Response.json(answer);
};
