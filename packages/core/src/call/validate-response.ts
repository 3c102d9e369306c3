import { OrderLicenseError } from '../base/errors.ts';
import type { Order } from '../model/order.ts';
import { isAnsweredId, isRounded } from '../model/order-id.ts';
import type { OrderList } from '../model/order-list.ts';
import type { User } from '../model/user.ts';

type Fields = Record<string, unknown>;

/** An answer that cannot be used: reports where, never the value. */
const unusable = (path: string, what: string): OrderLicenseError =>
  new OrderLicenseError('invalid_response', {
    detail: `The answer cannot be used, because \`${path}\` ${what}`,
    advice: 'Contact the API provider.',
    status: 200,
  });

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refuseRounded = (path: string, id: unknown): void => {
  if (isRounded(id)) throw unusable(path, 'is not an exact whole number');
};

const checkOrderId = (path: string, id: unknown): void => {
  refuseRounded(path, id);
  if (!isAnsweredId(id)) throw unusable(path, 'is not an order ID');
};

/** The client relies on nothing in the user object. */
export const checkUser = (data: Fields): User => data as unknown as User;

/** Relies on `orders`, each `id`, and `pagination.pages`, which ends a walk. */
export const checkOrderList = (data: Fields): OrderList => {
  const { orders, pagination } = data;
  if (!Array.isArray(orders)) throw unusable('data.orders', 'is not a list');
  orders.forEach((order: unknown, index) => {
    if (!isFields(order)) throw unusable(`data.orders[${index}]`, 'is not an object');
    checkOrderId(`data.orders[${index}].id`, order.id);
  });
  if (!isFields(pagination)) throw unusable('data.pagination', 'is not an object');
  const { pages } = pagination;
  if (!Number.isSafeInteger(pages) || (pages as number) < 0) {
    throw unusable('data.pagination.pages', 'is not a whole number');
  }
  return data as unknown as OrderList;
};

/** Relies on `id`, which must be the requested one, and on unrounded IDs elsewhere. */
export const checkOrder = (data: Fields, id: string): Order => {
  checkOrderId('data.id', data.id);
  if (String(data.id) !== id) throw unusable('data.id', 'is not the requested ID');
  list(data.items).forEach((item, i) => {
    refuseRounded(`data.items[${i}].id`, item.id);
    list(item.license_codes).forEach((code, k) => {
      refuseRounded(`data.items[${i}].license_codes[${k}].id`, code.id);
    });
  });
  return data as unknown as Order;
};

const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
