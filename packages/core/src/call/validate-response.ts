import { OrderLicenseError } from '../base/errors.ts';
import { isObject } from '../base/is-object.ts';
import type { Order, OrderList, User } from '../model/order.ts';
import { isAnsweredId, isRounded } from '../model/order-id.ts';

type Fields = Record<string, unknown>;

/** A response that cannot be used: reports where, never the value. */
const unusable = (path: string, what: string): OrderLicenseError =>
  new OrderLicenseError('invalid_response', {
    detail: `The response cannot be used, because \`${path}\` ${what}`,
    advice: 'Contact the API provider.',
    status: 200,
  });

const rejectRounded = (path: string, id: unknown): void => {
  if (isRounded(id)) throw unusable(path, 'is not an exact whole number');
};

const checkOrderId = (path: string, id: unknown): void => {
  rejectRounded(path, id);
  if (!isAnsweredId(id)) throw unusable(path, 'is not an order ID');
};

/** The client relies on nothing in the user object. */
export const checkUser = (data: Fields): User => shallow<User>(data);

/** Relies on `orders`, each `id`, and `pagination.pages`, which ends a walk. */
export const checkOrderList = (data: Fields): OrderList => {
  const { orders, pagination } = data;
  if (!Array.isArray(orders)) throw unusable('data.orders', 'is not a list');
  orders.forEach((order: unknown, index) => {
    if (!isObject(order)) throw unusable(`data.orders[${index}]`, 'is not an object');
    checkOrderId(`data.orders[${index}].id`, order.id);
  });
  if (!isObject(pagination)) throw unusable('data.pagination', 'is not an object');
  const { pages } = pagination;
  if (!Number.isSafeInteger(pages) || (pages as number) < 0) {
    throw unusable('data.pagination.pages', 'is not a whole number');
  }
  return shallow<OrderList>(data);
};

/** Relies on `id`, which must be the requested one, and on unrounded IDs elsewhere. */
export const checkOrder = (data: Fields, id: string): Order => {
  checkOrderId('data.id', data.id);
  if (String(data.id) !== id) throw unusable('data.id', 'is not the requested ID');
  list(data.items).forEach((item, i) => {
    rejectRounded(`data.items[${i}].id`, item.id);
    list(item.license_codes).forEach((code, k) => {
      rejectRounded(`data.items[${i}].license_codes[${k}].id`, code.id);
    });
  });
  return shallow<Order>(data);
};

const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The API docs describe six levels. Programs that walk a response by recursion fail at some thousands. */
const maxDepth = 100;

const shallow = <Data>(data: Fields): Data => {
  let level: unknown[] = [data];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw unusable('data', `is nested more than ${maxDepth} levels deep`);
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return data as Data;
};
