import * as z from 'zod';

interface ObjectSchema extends Record<string, unknown> {
  type: 'object';
}

/**
 * Keywords to remove: they cost tokens in every conversation, and some model providers reject them. llama.cpp makes a
 * grammar of all tools, and rejects every tool if one has `\d` in a pattern or allows 2,000 items.
 */
const noise = /^(\$schema|additionalProperties|pattern|(min|max)(Length|Items))$/;
/** Bounds to remove: zod adds them to all whole numbers. */
const bounds: ReadonlySet<unknown> = new Set([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);

/** Returns a short JSON Schema of the same types. Calls are checked with `schema` itself. */
export const portableJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): ObjectSchema =>
  JSON.parse(
    JSON.stringify(z.toJSONSchema(schema, { io }), (name, value) =>
      noise.test(name) || bounds.has(value) ? undefined : value,
    ),
  );
