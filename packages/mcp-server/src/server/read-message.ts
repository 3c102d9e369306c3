import {
  CLIENT_CAPABILITIES_META_KEY,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  parseJSONRPCMessage,
} from '@modelcontextprotocol/server';
import { isObject } from '@order-license/core/host';
import * as z from 'zod';
import { isNothing, readText } from '../tools/read-arguments.ts';

/** The error to return for an invalid message, with the ID of the request if that is valid. */
export interface InvalidMessage {
  id?: string | number;
  error: { code: number; message: string };
}

export type ReadMessage = { message: JSONRPCMessage } | InvalidMessage;

/**
 * Reads a JSON-RPC message. Null means absent, because many clients write null for each optional member.
 * @param json the parsed JSON
 */
export const readMessage = (json: unknown): ReadMessage => {
  if (Array.isArray(json)) return invalid('Batches are not supported; send each message on its own.');
  const message = isObject(json) && typeof json.method === 'string' ? readCall(json.method, json) : json;
  const { id, method, params } = (message ?? {}) as Record<string, unknown>;
  const name = typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? { id } : {};
  const wrong = wrongParam(method, params);
  if (wrong) return { ...name, ...invalid(`${method}: \`params.${wrong}\` ${wrongType}.`, -32_602) };
  try {
    return { message: parseJSONRPCMessage(message) };
  } catch {
    if (id === undefined || method === undefined || 'id' in name) {
      return { ...name, ...invalid('This is not a JSON-RPC 2.0 message.') };
    }
    return invalid('The ID of a request must be a string or a whole number.');
  }
};

/** Returns the name of a parameter for which the SDK's error would quote a schema. */
const wrongParam = (method: unknown, params: unknown): string | undefined => {
  const needed = neededParams.get(method);
  if (needed === undefined) return undefined;
  const given = isObject(params) ? params : {};
  if (typeof given[needed] !== 'string') return needed;
  return given.arguments === undefined || isObject(given.arguments) ? undefined : 'arguments';
};

/** The text that each method needs. */
const neededParams: ReadonlyMap<unknown, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

const wrongType = 'is missing or has the wrong type';
// Some of the SDK's errors quote zod's messages.
z.config({ localeError: () => wrongType });

const invalid = (message: string, code = -32_600) => ({ error: { code, message } });

/**
 * Reads a request or a notification, and drops members that are null, except the ID of a request: the request is then
 * rejected.
 */
const readCall = (method: string, { params, ...others }: Record<string, unknown>): object => {
  const isRequest = !method.startsWith('notifications/');
  const members = Object.entries(others).filter(([name, value]) => value !== null || (name === 'id' && isRequest));
  return { ...Object.fromEntries(members), params: readParams(method, params) };
};

/** Reads the parameters of a method, without members that mean nothing. The SDK requires each prompt argument as text. */
const readParams = (method: string, params: unknown = null): unknown => {
  if (isNothing(params)) return method === 'initialize' ? readInitialize({}) : undefined;
  if (!isObject(params)) return params;
  const { arguments: given, ...others } = params;
  const args = typeof given === 'string' ? parseObject(given) : given;
  const read = withoutNull(others) as Record<string, unknown>;
  if (isNothing(read._meta)) delete read._meta;
  if (method === 'initialize') return readInitialize(read);
  if (isNothing(args)) return read;
  return { ...read, arguments: method === 'prompts/get' && isObject(args) ? readTexts(args) : args };
};

/**
 * Adds what some clients omit from `initialize`. They get the newest revision, because the SDK offers it to a client
 * that names an unknown one.
 */
const readInitialize = (params: Record<string, unknown>): object => {
  const info = { name: '', version: '', ...(params.clientInfo as object) };
  return { protocolVersion: '', capabilities: {}, ...params, clientInfo: info };
};

/** Parses arguments that are JSON text, which some clients send; any other text stays as it is. */
const parseObject = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Members that a client must send: null for its capabilities means that it has none. */
const capabilities: ReadonlySet<string> = new Set(['capabilities', CLIENT_CAPABILITIES_META_KEY]);

/**
 * Returns the value without members that are null. MCP defines nothing below eight levels.
 * @param isCapability whether the value is in capabilities, where PHP writes an empty object as an empty list
 */
const withoutNull = (value: unknown, levels = 8, isCapability = false): unknown => {
  if (levels === 0) return value;
  if (Array.isArray(value) && value.length === 0 && isCapability) return {};
  if (Array.isArray(value)) return value.map((item) => withoutNull(item, levels - 1));
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name, member]) => member !== null || capabilities.has(name));
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      withoutNull(member ?? {}, levels - 1, isCapability || capabilities.has(name)),
    ]),
  );
};

const readTexts = (args: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(args)
      .filter(([, value]) => !isNothing(value))
      .map(([name, value]) => [name, readText(value)]),
  );

/**
 * Whether a message is the `initialize` of the older revisions. Revision 2026-07-28, whose requests name their revision,
 * has no such method.
 */
export const isInitialize = (message: unknown): boolean => {
  if (!isObject(message) || message.method !== 'initialize') return false;
  const meta = isObject(message.params) ? message.params._meta : undefined;
  return !isObject(meta) || meta[PROTOCOL_VERSION_META_KEY] === undefined;
};
