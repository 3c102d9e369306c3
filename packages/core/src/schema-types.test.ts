import { expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import type { LicenseCode, Order, OrderItem, OrderList, OrderStatus, OrderSummary, User } from './index.ts';
import type { CodeType } from './model/order.ts';
import type { licenseCodeSchema, orderListSchema, orderSchema, userSchema } from './schema.ts';

// The compiler checks these types: a mistake fails `pnpm typecheck`, not the test run.
test('the types allow the documented values, null and absent fields', () => {
  expectTypeOf<OrderSummary['status']>().toEqualTypeOf<OrderStatus>();
  expectTypeOf<LicenseCode['code_typ']>().toEqualTypeOf<CodeType>();
  expectTypeOf<LicenseCode['download_url_64']>().toEqualTypeOf<string | null>();
  expectTypeOf<Pick<Order, 'id' | 'items'>>().toEqualTypeOf<{ id: number; items: OrderItem[] }>();
  expectTypeOf<Pick<OrderItem, 'license_codes'>>().toEqualTypeOf<{
    license_codes?: LicenseCode[] | null | undefined;
  }>();
  expectTypeOf<Pick<OrderSummary, 'created_at'>>().toEqualTypeOf<{ created_at: string }>();
  expectTypeOf<Pick<Order, 'created_at'>>().toEqualTypeOf<{ created_at?: string | undefined }>();
});

test('a value that matches a schema is assignable to the exported type', () => {
  expectTypeOf<z.infer<typeof userSchema>>().toExtend<User>();
  expectTypeOf<z.infer<typeof orderListSchema>>().toExtend<OrderList>();
  expectTypeOf<z.infer<typeof orderSchema>>().toExtend<Order>();
  expectTypeOf<z.infer<typeof licenseCodeSchema>>().toExtend<LicenseCode>();
});

test('a misspelled field does not compile', () => {
  expectTypeOf<OrderSummary>().not.toHaveProperty('bestelnummer');
});
