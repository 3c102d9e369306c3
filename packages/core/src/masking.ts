export {
  amountShape,
  currencyShape,
  integerShape,
  licenseCodeShape,
  orderItemShape,
  orderListShape,
  orderShape,
  orderStatusShape,
  orderSummaryShape,
  ownShape,
  textShape,
  timestampShape,
  userShape,
} from './model/documented-shapes.ts';
export { maskAnswer } from './model/mask.ts';
export type { Masker, Shape, ShowValue } from './model/shape.ts';
