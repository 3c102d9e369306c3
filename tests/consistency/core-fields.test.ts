import { expect, test } from 'vitest';
import type { Shape } from '../../packages/core/src/model/form.ts';
import { orderListShape, orderShape, userShape } from '../../packages/core/src/model/order.ts';
import { documentedFields } from '../../packages/mock-api/src/settings/field-paths.ts';

/** The API docs name these fields only for the list. */
const listOnly = ['created_at', 'lieferstatus', 'zahlungsstatus'];
const namesIn = (shape: Shape | undefined): string[] => Object.keys(shape ?? {}).sort();

test('core and the mock name the same fields', () => {
  const { orders, pagination } = orderListShape;
  const item = orderShape.items.element?.shape;
  const known = {
    me: namesIn(userShape),
    'orders[]': namesIn(orders.element?.shape),
    pagination: namesIn(pagination.shape),
    order: namesIn(orderShape).filter((name) => !listOnly.includes(name)),
    'items[]': namesIn(item),
    'license_codes[]': namesIn(item?.license_codes?.element?.shape),
  };
  const sent = Object.entries(documentedFields).map(([owner, names]) => [owner, names.toSorted()]);
  expect(known).toEqual(Object.fromEntries(sent));
});
