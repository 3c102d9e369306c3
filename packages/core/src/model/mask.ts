import type { Form, Shape } from './form.ts';
import { createKeySearch } from './key-search.ts';
import {
  type Order,
  type OrderList,
  type OrderSummary,
  orderListShape,
  orderShape,
  orderSummaryShape,
  type User,
  userShape,
} from './order.ts';
import { secretsIn } from './secrets.ts';

/** Replaces a masked value. */
export const marker = '****';

/** Whether masking replaced a text or a part of it. */
export const isMasked = (value: unknown): boolean => typeof value === 'string' && value.includes(marker);

export interface MaskOptions {
  /** Whether license keys and the paths of download URLs are masked; true if omitted. */
  licenseKeys?: boolean | undefined;
  /** Whether e-mail addresses, the name of the account and billing addresses are masked; false if omitted. */
  personalData?: boolean | undefined;
}

/** `otherFields`: undocumented or malformed fields, and billing addresses if license keys are masked. */
export type MaskedKind = 'licenseKeys' | 'personalData' | 'otherFields';

/** Number of fields that masking left out of this object; absent if there are none. */
export interface WithMaskedFields {
  masked_fields?: number;
}

/**
 * An order in which masking replaced values with `****`. Documented fields keep their types, except that `****` can
 * replace a malformed number or list.
 */
export type MaskedOrder = Omit<Order, 'billing_address'> &
  WithMaskedFields & { billing_address?: typeof marker | null };

const maskOf =
  <Response extends object, Shown = Response & WithMaskedFields>(shape: Shape) =>
  (response: Response, options?: MaskOptions): Shown =>
    maskResponse(response, shape, options).shown as Shown;

/**
 * Returns a copy of an order without license keys or undocumented fields (§2.4 to §2.6 and §2.2). A long key that is
 * not a login (`account`) keeps its last four characters, and a download URL keeps its host. Malformed values, texts
 * that contain a license key, and the billing address become `****`. Undocumented fields are left out, and counted in
 * `masked_fields`. With `licenseKeys: false`, keys and URLs are shown.
 */
export const maskOrder = maskOf<Order, MaskedOrder>(orderShape);

/** Like {@link maskOrder}, for a list entry (§2.2). */
export const maskOrderSummary = maskOf<OrderSummary>(orderSummaryShape);

/** Like {@link maskOrder}, for a page of the list (§4.2). */
export const maskOrderList = maskOf<OrderList>(orderListShape);

/** Like {@link maskOrder}, for the account (§2.1). */
export const maskUser = maskOf<User>(userShape);

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns a copy of any response that shows only the fields in `shape`, each in its documented form, and, unless
 * `licenseKeys` is false, none of the response's license keys. Takes time linear in the size of the response.
 * @param shape the documented fields
 * @param beside another response, whose license keys are masked as well
 * @returns the copy, and the kinds of values that were masked
 */
export const maskResponse = (
  response: object,
  shape: Shape,
  { licenseKeys = true, personalData = false }: MaskOptions = {},
  beside: object = {},
): { shown: object; masked: ReadonlySet<MaskedKind> } => {
  const masked = new Set<MaskedKind>();
  const hide = (kind: MaskedKind): string => {
    masked.add(kind);
    return marker;
  };
  const hasKey = createKeySearch(licenseKeys ? secretsIn([response, beside]).keys : []);
  /** Searches for the short words of the license keys of the order that is shown. */
  let hasWord = createKeySearch([]);
  const { email, name } = response as Partial<User>;
  /** Searches for the account's e-mail address and name, in their own fields and in others that repeat them. */
  const hasPerson = createKeySearch(personalData ? [email, name].filter((text) => typeof text === 'string') : []);

  /** Shows a documented value that is neither an object nor a list. */
  const showSimple = (value: unknown, mask: Form['mask']): unknown => {
    if (mask === 'word') return value;
    // In a number, amount or date, only long keys count: a short one would hide quantities by chance.
    const text = mask ? String(value) : `n${String(value).replace(/\W/g, '')}`;
    if (hasKey(text) || (mask !== 'orderNumber' && hasWord(text))) return hide('licenseKeys');
    if (!personalData || !mask) return value;
    return hasPerson(text) ? hide('personalData') : text.replace(addresses, () => hide('personalData'));
  };
  /** Shows the part of a secret that a pattern allows. */
  const showPart = (secret: unknown, pattern: RegExp, part: string): unknown => {
    const hidden = hide('licenseKeys');
    return typeof secret === 'string' && pattern.test(secret)
      ? showSimple(secret.replace(pattern, part), 'text')
      : hidden;
  };
  /** Shows any value of a field with this form. */
  const show = (value: unknown, form: Form, siblings: Fields): unknown => {
    const { mask, element, shape } = form;
    if (value == null || value === '') return value;
    // If keys are masked, the billing address is masked too, whatever `personalData` says, because the fields of an
    // address are unknown.
    if (mask === 'address') return hide(licenseKeys ? 'otherFields' : 'personalData');
    if (mask === 'url' && licenseKeys) return showPart(value, webUrl, `$1$2/${marker}`);
    if (mask === 'licenseKey' && licenseKeys)
      return showPart(withTail.includes(siblings.code_typ) && value, longKey, `${marker}$1`);
    if (!form.is(value) && !form.shows?.(value)) return hide('otherFields');
    if (element) return (value as unknown[]).map((inner) => show(inner, element, siblings));
    return shape ? showFields(value as Fields, shape) : showSimple(value, mask);
  };
  /** Shows the documented fields of an object. */
  const showFields = (fields: Fields, shape: Shape): object => {
    const outside = hasWord;
    if (licenseKeys && 'bestellnummer' in shape) hasWord = createKeySearch(secretsIn(fields).shortWords);
    const shown: Record<string, unknown> = {};
    let left = 0;
    for (const name in fields) {
      if (Object.hasOwn(shape, name)) shown[name] = show(fields[name], shape[name] as Form, fields);
      else left += 1;
    }
    hasWord = outside;
    if (left > 0) {
      hide('otherFields');
      shown.masked_fields = left;
    }
    return shown;
  };
  return { shown: showFields(response as Fields, shape), masked };
};

/** Types of license codes whose key is not a login (§2.6). */
const withTail: unknown[] = ['retail', 'volumen', 'abo'];

/** Sixteen or more letters and digits, in groups or not. Anything else may be a user name with a password. */
const longKey = /^(?=(?:[a-z\d]-?){15,1000}[a-z\d]$).*(.{4})$/i;

/** The scheme and host show where a download comes from, but not which file it is. */
const webUrl = /^(https?:\/\/)(?:[^/?#\\]*@)?([\p{L}\d.-]+)(?::\d+)?(?:[/?#].*)?$/isu;

/** E-mail addresses, percent-encoded or not. A match starts only at the start of a word, so this takes linear time. */
const addresses =
  /(?<![^\s<>()[\]"',;:/?&=#|])[^\s<>()[\]"',;:/?&=#|]+?(?:@|＠|%(?:25)*40|&#(?:64|x40);)[^\s<>()[\]"',;:/?&=#|]+/gi;
