import { expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import type { LicenseCode, Order, OrderItem, OrderList, OrderSummary, Pagination, User } from './index.ts';
import type { licenseCodeSchema, orderListSchema, orderSchema, orderSummarySchema, userSchema } from './schema.ts';

type Fields<Schema extends { shape: object }> = keyof Schema['shape'];
/** Fields of a single order that the API docs do not list, but some services send. */
type Undocumented = 'zahlungsstatus' | 'created_at' | 'lieferstatus';
type ItemSchema = (typeof orderSchema)['shape']['items']['element'];

// Checked by the compiler: `pnpm typecheck` fails, not the test run.
test('the types have the fields of the schemas', () => {
  expectTypeOf<keyof User>().toEqualTypeOf<Fields<typeof userSchema>>();
  expectTypeOf<keyof OrderSummary>().toEqualTypeOf<Fields<typeof orderSummarySchema>>();
  expectTypeOf<keyof OrderList>().toEqualTypeOf<Fields<typeof orderListSchema>>();
  expectTypeOf<keyof Pagination>().toEqualTypeOf<Fields<(typeof orderListSchema)['shape']['pagination']>>();
  expectTypeOf<Exclude<keyof Order, Undocumented>>().toEqualTypeOf<Fields<typeof orderSchema>>();
  expectTypeOf<keyof OrderItem>().toEqualTypeOf<Fields<ItemSchema>>();
  expectTypeOf<keyof LicenseCode>().toEqualTypeOf<Fields<typeof licenseCodeSchema>>();
});

test('a value that matches a schema has its type', () => {
  expectTypeOf<z.infer<typeof userSchema>>().toExtend<User>();
  expectTypeOf<z.infer<typeof orderListSchema>>().toExtend<OrderList>();
  expectTypeOf<z.infer<typeof orderSchema>>().toExtend<Omit<Order, Undocumented>>();
  expectTypeOf<z.infer<typeof licenseCodeSchema>>().toExtend<LicenseCode>();
});

test('a misspelled field does not compile', () => {
  expectTypeOf<OrderSummary>().not.toHaveProperty('bestelnummer');
});
