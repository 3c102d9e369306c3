import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type SpecTypeName,
  type StandardSchemaV1,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import { isNothing, readText } from '../tools/read-arguments.ts';

/** A message, or the error to return for an invalid one, with the ID of the request if that is valid. */
export type ReadMessage =
  | { message: JSONRPCMessage }
  | { id?: string | number; error: { code: number; message: string } };

/**
 * Reads a JSON-RPC message. Null means absent, because many clients write null for each optional member. Invalid
 * parameters are rejected here, because the SDK's errors for them quote its schemas.
 * @param json the parsed JSON
 */
export const readMessage = (json: unknown): ReadMessage => {
  if (Array.isArray(json)) return invalid('Batches are not supported; send each message on its own.');
  const { id, method, params } = (json ?? {}) as Record<string, unknown>;
  const message = isObject(json) ? { ...json, params: readParams(method, params) } : json;
  const name = typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? { id } : {};
  const wrong = wrongMember(method, message);
  if (wrong !== undefined) {
    return { ...name, ...invalid(`${method}: \`${wrong}\` is missing or has the wrong type.`, -32_602) };
  }
  try {
    return { message: parseJSONRPCMessage(message) };
  } catch {
    if (id === undefined || method === undefined || 'id' in name) {
      return { ...name, ...invalid('This is not a JSON-RPC 2.0 message.') };
    }
    return invalid('The ID of a request must be a string or a whole number.');
  }
};

const invalid = (message: string, code = -32_600) => ({ error: { code, message } });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the parameters of a method, without members that mean nothing. The SDK requires each prompt argument as text. */
const readParams = (method: unknown, params: unknown): unknown => {
  if (isNothing(params)) return undefined;
  if (!isObject(params)) return params;
  const { arguments: given, ...others } = params;
  const args = typeof given === 'string' ? parseObject(given) : given;
  const read = withoutNull(others) as Record<string, unknown>;
  if (isNothing(read._meta)) delete read._meta;
  if (isNothing(args)) return read;
  return { ...read, arguments: method === 'prompts/get' && isObject(args) ? readTexts(args) : args };
};

/** Parses arguments that are JSON text, which some clients send; any other text stays as it is. */
const parseObject = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Returns the value without members that are null, at any depth. */
const withoutNull = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNull(member)]));
};

const readTexts = (args: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(args)
      .filter(([, value]) => !isNothing(value))
      .map(([name, value]) => [name, readText(value)]),
  );

/** The SDK's schemas of the methods that this server has. */
const schemas: Readonly<Record<string, SpecTypeName>> = {
  initialize: 'InitializeRequest',
  'tools/list': 'ListToolsRequest',
  'tools/call': 'CallToolRequest',
  'prompts/list': 'ListPromptsRequest',
  'prompts/get': 'GetPromptRequest',
  'resources/list': 'ListResourcesRequest',
  'resources/templates/list': 'ListResourceTemplatesRequest',
  'resources/read': 'ReadResourceRequest',
};

/** Returns the path of the first member of the message that its method's schema rejects, such as `params.name`. */
const wrongMember = (method: unknown, message: unknown): string | undefined => {
  const name = typeof method === 'string' && Object.hasOwn(schemas, method) ? schemas[method] : undefined;
  if (name === undefined) return undefined;
  const { issues = [] } = specTypeSchemas[name]['~standard'].validate(message) as StandardSchemaV1.FailureResult;
  return issues[0]?.path?.map(String).join('.');
};
