/** The parts of a property in a published JSON schema that decide how to read a value. */
export interface Property {
  type?: string;
  anyOf?: readonly Property[];
  items?: Property;
  enum?: readonly unknown[];
}

/** Names that clients add for themselves, whatever the schema says: n8n, CrewAI, and names that begin with `_`. */
const added = /^(_.*|toolCallId|sessionId|action|chatInput|security_context)$/;

/**
 * Reads arguments as the caller meant them, before the tool's schema checks them. Many clients and models send null,
 * white space or an empty list for an argument that they omit, and write numbers, booleans and lists as text.
 * @param properties the properties of the tool's published JSON schema
 * @param args the arguments as received
 * @returns the arguments without those that mean nothing. A value that cannot be read is unchanged
 */
export const readArguments = (
  properties: Readonly<Record<string, Property>>,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const given = Object.entries(args).filter(([name]) => !added.test(name));
  const read = given.map(([name, value]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    // Some gateways pass 0 for an omitted `id`. For `codes`, 0 could mean false.
    return [name, value === 0 && property?.anyOf ? undefined : readValue(value, property)] as const;
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
};

/** Returns undefined for a value that means nothing. */
const readValue = (value: unknown, property: Property | undefined): unknown => {
  if (isNothing(value)) return undefined;
  if (property?.type === 'array') return readList(value, property.items);
  const types = new Set((property?.anyOf ?? [property]).map((one) => one?.type));
  if (types.has('integer')) return types.has('string') ? readId(value) : readWholeNumber(value);
  if (types.has('boolean') && typeof value === 'string' && /^\s*(true|false)\s*$/i.test(value)) {
    return value.trim().toLowerCase() === 'true';
  }
  return types.has('string') ? readText(value) : value;
};

/** Whether the value means that the argument is omitted. */
export const isNothing = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0);

/** Reads a text. A number that JSON can represent exactly becomes its digits. */
export const readText = (value: unknown): unknown => {
  if (typeof value === 'string') return value.trim();
  return Number.isSafeInteger(value) ? String(value) : value;
};

/** Reads a number of at least 1. Zero means the default, because some models fill optional numbers with it. */
const readWholeNumber = (value: unknown): unknown => {
  const number = typeof value === 'string' && /^\s*\d+(\.0+)?\s*$/.test(value) ? Number(value) : value;
  return number === 0 ? undefined : number;
};

/** Reads an ID. Digits become the number that the API sends; an ID that a number would round stays a text. */
const readId = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  const text = value.trim().replace(/\.0+$/, '');
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
};

/**
 * Reads a list of IDs or statuses: JSON, values separated by commas, or a single value. Empty values are omitted. An
 * item of a list can itself be such a text, unless it is free text, which can contain a comma.
 */
const readList = (value: unknown, items: Property | undefined): unknown => {
  const isFreeText = items?.type === 'string' && !items.enum;
  const values = Array.isArray(value) && isFreeText ? value : [value].flat().flatMap(splitList);
  const list = values.map((item) => readValue(item, items)).filter((item) => item !== undefined);
  return list.length > 0 ? list : undefined;
};

const splitList = (value: unknown): readonly unknown[] => {
  if (typeof value !== 'string') return [value];
  return value.trim().startsWith('[') ? parseList(value) : value.split(',');
};

/** Parses a JSON list. Numbers stay text, so that none is rounded; a text that is not JSON stays as it is. */
const parseList = (text: string): readonly unknown[] => {
  const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? context?.source : value;
  try {
    return JSON.parse(text, keepDigits) as unknown[];
  } catch {
    return [text];
  }
};
