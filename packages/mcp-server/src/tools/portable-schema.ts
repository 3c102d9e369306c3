import * as z from 'zod';

interface ObjectSchema extends Record<string, unknown> {
  type: 'object';
}

/**
 * The smallest JSON Schema equivalent to `schema`: no `$schema`, no bounds of ±2^53 and no
 * `additionalProperties`, which cost tokens in every conversation and are rejected by some model providers.
 */
export const portableJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): ObjectSchema =>
  trim(z.toJSONSchema(schema, { io })) as ObjectSchema;

const trim = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(trim);
  if (typeof node !== 'object' || node === null) return node;
  const fields = Object.entries(node).filter(([name, value]) => !isNoise(name, value));
  return Object.fromEntries(fields.map(([name, value]) => [name, trim(value)]));
};

const isNoise = (name: string, value: unknown): boolean =>
  name === '$schema' ||
  name === 'additionalProperties' ||
  (name === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
  (name === 'minimum' && value === Number.MIN_SAFE_INTEGER);
