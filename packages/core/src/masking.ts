// For the packages of this repository; not published.
export {
  amount as amountShape,
  currency as currencyShape,
  integer as integerShape,
  listOf,
  own as ownShape,
  type Shape,
  text as textShape,
  timestamp as timestampShape,
} from './model/form.ts';
export { type MaskedCounts, maskResponse } from './model/mask.ts';
export {
  licenseCodeShape,
  orderItemShape,
  orderListShape,
  orderShape,
  orderSummaryShape,
  userShape,
} from './model/order.ts';
