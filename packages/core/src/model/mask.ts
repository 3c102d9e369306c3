import type { Form, Shape } from './form.ts';
import { createKeySearch, wordLength } from './key-search.ts';
import { licenseKeyValues, orderAt } from './license-key-values.ts';
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
import { readingsOf } from './reading.ts';

/** Replaces a masked value. */
export const marker = '****';

/** Whether masking replaced a text, or a part of it. */
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

/** An order in which masking replaced values with `****`; the types of the documented fields match the API docs. */
export type MaskedOrder = Omit<Order, 'billing_address'> &
  WithMaskedFields & { billing_address?: typeof marker | null };

type Mask<Response, Shown> = (response: Response, options?: MaskOptions) => Shown;

const maskOf =
  <Response extends object, Shown>(shape: Shape): Mask<Response, Shown> =>
  (response, options) =>
    maskResponse(response, shape, options).shown as Shown;

/**
 * Returns a copy of an order without license keys or undocumented fields (§2.4 to §2.6 and §2.2). A long key keeps its
 * last four characters, and a download URL keeps its host. Malformed values, texts that contain a license key, and the
 * billing address become `****`. Undocumented fields are left out, and counted in `masked_fields`.
 */
export const maskOrder: Mask<Order, MaskedOrder> = maskOf(orderShape);

/** Like {@link maskOrder}, for a list entry (§2.2). */
export const maskOrderSummary: Mask<OrderSummary, OrderSummary & WithMaskedFields> = maskOf(orderSummaryShape);

/** Like {@link maskOrder}, for a page of the list (§4.2). */
export const maskOrderList: Mask<OrderList, OrderList & WithMaskedFields> = maskOf(orderListShape);

/** Like {@link maskOrder}, for the account (§2.1). */
export const maskUser: Mask<User, User & WithMaskedFields> = maskOf(userShape);

/**
 * Returns a copy of any response that shows only the fields in `shape`, each in its documented form, and none of the
 * response's license keys. Takes time linear in the size of the response.
 * @param shape the documented fields
 * @returns the copy, and the kinds of values that were masked
 */
export const maskResponse = (
  response: object,
  shape: Shape,
  { licenseKeys = true, personalData = false }: MaskOptions = {},
): { shown: object; masked: ReadonlySet<MaskedKind> } => {
  const masked = new Set<MaskedKind>();
  const hide = (kind: MaskedKind, shown = marker): string => {
    masked.add(kind);
    return shown;
  };
  const { keys, words } = licenseKeyValues(licenseKeys ? response : {});
  const hasKey = createKeySearch(keys);
  const hasWord = new Map(Array.from(words, ([order, ofOrder]) => [order, createKeySearch(ofOrder)]));
  const people = personalData ? personalValues(response) : new Set<string>();
  const hasPerson = createKeySearch(people);

  /** The order whose fields are being shown. */
  let order: object | undefined;
  const isSecret = (text: string, mask?: Form['mask']): boolean => {
    const readings = readingsOf(text);
    return hasKey(readings) || (mask !== 'orderNumber' && !!order && hasWord.get(order)?.(readings) === true);
  };
  const isSecretNumber = (text: string): boolean => {
    const digits = text.replace(/\W/g, '');
    return digits.length >= wordLength && isSecret(digits);
  };
  const showText = (text: string, mask: Form['mask']): string => {
    if (isSecret(text, mask)) return hide('licenseKeys');
    if (!personalData) return text;
    const shown = people.size > 0 && hasPerson(readingsOf(text)) ? marker : text.replace(addresses, marker);
    return shown === text ? text : hide('personalData', shown);
  };
  /** Shows the host of a URL, and the last characters of a long key that isn't a login. */
  const showSecret = (value: unknown, mask: Form['mask'], type: unknown): string => {
    const text = typeof value === 'string' ? value : '';
    const [, scheme = '', host = ''] = (mask === 'url' && webUrl.exec(text)) || [];
    const tail = mask === 'licenseKey' && withTail.has(type) && longKey.test(text) ? text.slice(-4) : '';
    return isSecret(host + tail) ? marker : `${scheme}${host}${host && '/'}${marker}${tail}`;
  };
  const show = (value: unknown, { mask, is, shape, type }: Form, codeType: unknown): unknown => {
    if (value === null || value === undefined) return value;
    if (mask === 'person' && personalData) return hide('personalData');
    // If keys are masked, the billing address is masked too, whatever `personalData` says, because the fields of an
    // address are unknown.
    if (mask === 'address') return hide(licenseKeys ? 'otherFields' : 'personalData');
    if ((mask === 'licenseKey' || mask === 'url') && licenseKeys && value !== '')
      return hide('licenseKeys', showSecret(value, mask, codeType));
    if (shape) return showFields(value, type, shape);
    if (typeof value === 'string' && !is) return showText(value, mask);
    if (typeof value === 'number' && mask === 'licenseKey') return value;
    const isShown =
      mask === 'word'
        ? is?.(typeof value === 'string' ? value.toLowerCase() : value)
        : is?.(value) && !isSecretNumber(String(value));
    return isShown ? value : hide('otherFields');
  };
  const showFields = (value: unknown, type: Form['type'], shape: Shape): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) !== (type === 'list')) {
      return hide('otherFields');
    }
    if (Array.isArray(value))
      return value.map((element) => (element === null ? null : showFields(element, 'object', shape)));
    const outer = order;
    order = orderAt(value, outer);
    const all = Object.entries(value);
    const named = all.filter(([name]) => Object.hasOwn(shape, name));
    const { code_typ } = value as { code_typ?: unknown };
    const shown = named.map(([name, inner]) => [name, show(inner, shape[name] as Form, code_typ)]);
    order = outer;
    const left = all.length - named.length;
    if (left === 0) return Object.fromEntries(shown);
    hide('otherFields');
    return Object.fromEntries([...shown, ['masked_fields', left]]);
  };
  return { shown: showFields(response, 'object', shape) as object, masked };
};

/** Types of license codes whose key is not a login (§2.6). */
const withTail: ReadonlySet<unknown> = new Set(['retail', 'volumen', 'abo']);

/** Sixteen or more letters and digits, in groups or not. Anything else may be a user name with a password. */
const longKey = /^(?:[a-z\d]-?){15,1000}[a-z\d]$/i;

/** The scheme and host show where a download comes from, but not which file it is. */
const webUrl = /^(https?:\/\/)(?:[^/?#\\]*@)?([\p{L}\d.-]+)(?::\d+)?(?:[/?#].*)?$/isu;

/** E-mail addresses, also percent-encoded. A match starts only at the start of a word, so this takes linear time. */
const addresses =
  /(?<![^\s<>()[\]"',;:/?&=#|])[^\s<>()[\]"',;:/?&=#|]+?(?:@|＠|%(?:25)*40|&#(?:64|x40);)[^\s<>()[\]"',;:/?&=#|]+/gi;

/** Returns the account's e-mail address and name, which other fields may repeat. */
const personalValues = ({ email, name }: { email?: unknown; name?: unknown }): Set<string> =>
  new Set(
    [email, name]
      .flatMap((value) => (typeof value === 'string' ? readingsOf(value) : []))
      .map(({ letters }) => letters),
  );
