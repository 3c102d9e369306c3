import type { Order, OrderSummary } from '@order-license/core/portable';
import { lineItemsOf } from '../../shared/output';

/** Whether a product name contains a text, in upper or lower case. */
export const productTest = (text: string): ((name: unknown) => boolean) => {
  const fold = (value: string): string => value.normalize('NFC').toLowerCase();
  const wanted = fold(text);
  return (name) => typeof name === 'string' && fold(name).includes(wanted);
};

/** An order with only the line items of this product, if one is wanted. */
export const onlyProduct = (order: OrderSummary | Order, product: string | undefined): OrderSummary | Order => {
  if (product === undefined) return order;
  const matches = productTest(product);
  return { ...order, items: lineItemsOf(order).filter(({ product_name }) => matches(product_name)) };
};
