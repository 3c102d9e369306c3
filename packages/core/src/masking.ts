// For the packages of this repository; not published.
export { listOf, own as ownForm, type Shape } from './model/form.ts';
export { type MaskedCounts, maskResponse } from './model/mask.ts';
export {
  licenseCodeShape,
  orderListShape,
  orderShape,
  orderSummaryShape,
  userShape,
} from './model/order.ts';
