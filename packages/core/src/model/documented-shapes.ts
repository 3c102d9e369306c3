import { toDate } from './dates.ts';
import { readOrderId } from './order-id.ts';
import { orderStatuses } from './order-status.ts';
import type { Shape, ShowValue } from './shape.ts';

/** A value of a fixed format, masked if it has another format or is a license key. */
const closed =
  (isInForm: (value: unknown) => boolean): ShowValue =>
  (value, masker) =>
    isInForm(value) && !masker.holds(String(value)) ? value : masker.hideValue();

const matching = (form: RegExp): ShowValue => closed((value) => typeof value === 'string' && form.test(value));

const oneOf =
  (values: readonly string[]): ShowValue =>
  (value, masker) =>
    values.includes(value as string) ? value : masker.hideValue();

export const integerShape: ShowValue = closed(Number.isSafeInteger);
/** A service may send order IDs as strings of digits, and the next call needs them. */
const orderIdShape: ShowValue = closed((id) => Number.isSafeInteger(id) || readOrderId(id) === id);
export const amountShape: ShowValue = matching(/^-?\d{1,15}\.\d{2}$/);
export const currencyShape: ShowValue = (value, masker) =>
  typeof value === 'string' && /^[A-Z]{3}$/.test(value) ? value : masker.hideValue();
export const timestampShape: ShowValue = closed(
  (value) => typeof value === 'string' && /^[\d-]{10} [\d:]{8}$/.test(value) && toDate(value) !== null,
);
export const orderStatusShape: ShowValue = oneOf(orderStatuses);
/** A free-form string, with every license key in it masked. */
export const textShape: ShowValue = (value, masker) =>
  typeof value === 'string' ? masker.hideIn(value) : masker.hideValue();
const personalText: ShowValue = (value, masker) =>
  masker.hidesPersonalData ? masker.hidePersonal() : textShape(value, masker, {});
const licenseKey: ShowValue = (value, masker, { code_typ }) => masker.showKey(value, code_typ === 'account');
const downloadUrl: ShowValue = (value, masker) => masker.showUrl(value);

/**
 * A value created by our own program, such as a count or advice: shown in full, with every license key in its strings
 * masked.
 */
export const ownShape: ShowValue = (value, masker): unknown => {
  if (Array.isArray(value)) return value.map((element) => ownShape(element, masker, {}));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [masker.hideIn(name), ownShape(inner, masker, {})]),
    );
  }
  if (typeof value !== 'string') return value;
  return toDate(value) === null ? masker.hideIn(value) : value;
};

/** §2.6 */
export const licenseCodeShape = {
  id: integerShape,
  license_key: licenseKey,
  code_typ: oneOf(['retail', 'volumen', 'account', 'abo']),
  download_url_64: downloadUrl,
  download_url_32: downloadUrl,
  aktivierungen_bestellung: integerShape,
} as const satisfies Shape;

/** §2.5 */
export const orderItemShape = {
  id: integerShape,
  product_name: textShape,
  menge: integerShape,
  einzelpreis_brutto: amountShape,
  license_codes: [licenseCodeShape],
} as const satisfies Shape;

/** §2.2 */
export const orderSummaryShape = {
  id: orderIdShape,
  bestellnummer: textShape,
  status: orderStatusShape,
  zahlungsstatus: textShape,
  gesamtpreis_brutto: amountShape,
  waehrung: currencyShape,
  created_at: timestampShape,
  lieferstatus: textShape,
} as const satisfies Shape;

/** §2.4, with the fields of §2.2. The API docs do not name the fields of the address, so all of it is masked. */
export const orderShape = {
  ...orderSummaryShape,
  items: [orderItemShape],
  billing_address: (_address, masker) => masker.hideAddress(),
} as const satisfies Shape;

/** §2.1 */
export const userShape = {
  user_id: integerShape,
  email: personalText,
  name: personalText,
  company: textShape,
  vat_id: textShape,
  api_version: matching(/^\d{1,5}\.\d{1,5}$/),
} as const satisfies Shape;

/** A count, which a license key could look like. */
const count: ShowValue = (value, masker) => (Number.isSafeInteger(value) ? value : masker.hideValue());

/** §4.2 */
export const orderListShape = {
  orders: [orderSummaryShape],
  pagination: { page: count, per_page: count, total: count, pages: count },
} as const satisfies Shape;
