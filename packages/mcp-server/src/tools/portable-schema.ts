import * as z from 'zod';

interface ObjectSchema extends Record<string, unknown> {
  type: 'object';
}

/** Keywords to remove: they cost tokens in every conversation, and some model providers reject them. */
const noise: ReadonlySet<unknown> = new Set(['$schema', 'additionalProperties']);
/** Bounds to remove: zod adds them to all whole numbers. */
const bounds: ReadonlySet<unknown> = new Set([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);

/** Returns the smallest JSON Schema equivalent to `schema`. */
export const portableJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): ObjectSchema =>
  JSON.parse(
    JSON.stringify(z.toJSONSchema(schema, { io }), (name, value) =>
      noise.has(name) || bounds.has(value) ? undefined : value,
    ),
  );
