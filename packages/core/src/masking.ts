// For the packages of this repository; not published.
export {
  amount as amountShape,
  currency as currencyShape,
  type Fields as Shape,
  integer as integerShape,
  listOf,
  own as ownShape,
  text as textShape,
  timestamp as timestampShape,
} from './model/form.ts';
export { type MaskedCounts, maskResponse } from './model/mask.ts';
export {
  licenseCodeFields as licenseCodeShape,
  orderFields as orderShape,
  orderItemFields as orderItemShape,
  orderListFields as orderListShape,
  orderSummaryFields as orderSummaryShape,
  userFields as userShape,
} from './model/order.ts';
