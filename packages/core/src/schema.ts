import * as z from 'zod';
import type { Form, Shape, ValueOf } from './model/form.ts';
import { licenseCodeShape, orderListShape, orderShape, orderSummaryShape, userShape } from './model/order.ts';

// Importing zod takes 50 ms, so no other entry point imports it.

type SchemaOf<Documented> = Documented extends { optional: true }
  ? z.ZodOptional<z.ZodType<ValueOf<Documented>>>
  : z.ZodType<ValueOf<Documented>>;
type ObjectSchema<Documented> = z.ZodObject<{ [Name in keyof Documented]: SchemaOf<Documented[Name]> }, z.core.$loose>;

const objectSchema = <Documented extends Shape>(shape: Documented): ObjectSchema<Documented> => {
  const schemas = Object.entries(shape).map(([name, form]) => [name, schemaOf(form)]);
  return z.looseObject(Object.fromEntries(schemas)) as unknown as ObjectSchema<Documented>;
};

const schemaOf = (form: Form): z.ZodType => {
  const schema = typeSchema(form).refine(form.is);
  const orNull = form.nullable ? schema.nullable() : schema;
  return form.optional ? orNull.optional() : orNull;
};

const typeSchema = ({ is, shape, element }: Form): z.ZodType => {
  if (element) return z.array(schemaOf(element));
  if (is({})) return objectSchema(shape ?? {});
  return is(1) ? z.int() : z.string();
};

/** The owner of the key (§2.1), as documented; undocumented fields pass. */
export const userSchema = objectSchema(userShape);

/** An entry of the list (§2.2), as documented; undocumented fields pass. */
export const orderSummarySchema = objectSchema(orderSummaryShape);

/** A page of the list (§4.2), as documented; undocumented fields pass. */
export const orderListSchema = objectSchema(orderListShape);

/** A license code (§2.6), as documented; undocumented fields pass. */
export const licenseCodeSchema = objectSchema(licenseCodeShape);

/**
 * One order (§2.4 to §2.6), as documented; undocumented fields pass, and license codes may be empty, null or absent
 * (§4.3.3).
 */
export const orderSchema = objectSchema(orderShape);
