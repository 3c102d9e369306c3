// Entry point for the other packages of this repository; not published.
export { integer, listOf, objectOf, type Shape, text } from './model/form.ts';
export { isMasked, type MaskedKind, marker, maskResponse } from './model/mask.ts';
export {
  licenseCodeShape,
  orderListShape,
  orderShape,
  orderSummaryShape,
  userShape,
} from './model/order.ts';
