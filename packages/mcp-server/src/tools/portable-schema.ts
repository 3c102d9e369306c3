import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod';

/** The schema for the SDK: listed as portable JSON Schema, checked by `validate`. */
export const portableSchema = <Value>(
  schema: z.ZodType,
  validate: (value: unknown) => ReturnType<StandardSchemaWithJSON<unknown, Value>['~standard']['validate']>,
): StandardSchemaWithJSON<unknown, Value> => ({
  '~standard': {
    version: 1,
    vendor: 'order-license',
    validate,
    jsonSchema: {
      input: () => portableJsonSchema(schema, 'input'),
      output: () => portableJsonSchema(schema, 'output'),
    },
  },
});

/**
 * The smallest JSON Schema equivalent to `schema`: no `$schema`, no bounds of ±2^53 and no
 * `additionalProperties`, which cost tokens in every conversation and are refused by some model providers.
 */
export const portableJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): ObjectSchema =>
  trim(z.toJSONSchema(schema, { io })) as ObjectSchema;

interface ObjectSchema extends Record<string, unknown> {
  type: 'object';
}

const trim = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(trim);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !isNoise(key, value))
      .map(([key, value]) => [key, trim(value)]),
  );
};

const isNoise = (key: string, value: unknown): boolean =>
  key === '$schema' ||
  key === 'additionalProperties' ||
  (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
  (key === 'minimum' && value === Number.MIN_SAFE_INTEGER);
