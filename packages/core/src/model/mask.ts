import type { Form, Shape } from './form.ts';
import { createKeySearch, marker } from './key-search.ts';
import { licenseKeyValues } from './license-key-values.ts';
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

export interface MaskOptions {
  /** Whether license keys and the paths of download URLs are masked; true if omitted. */
  licenseKeys?: boolean | undefined;
  /** Whether e-mail addresses, the name of the account and billing addresses are masked; false if omitted. */
  personalData?: boolean | undefined;
}

/** How many values of each kind were masked. */
export interface MaskedCounts {
  licenseKeys: number;
  personalData: number;
  /** Undocumented or malformed fields, and billing addresses if license keys are masked. */
  otherFields: number;
}

/** Number of fields that masking left out of this object; absent if there are none. */
export interface WithMaskedFields {
  masked_fields?: number;
}

/** An order in which masking replaced values with `****`; the types of the documented fields match the API docs. */
export type MaskedOrder = Omit<Order, 'billing_address'> &
  WithMaskedFields & { billing_address?: typeof marker | null };

/**
 * Returns a copy of an order without license keys or undocumented fields (§2.4 to §2.6 and §2.2). A long key keeps its
 * last four characters, and a download URL keeps its host. Malformed values and the billing address become `****`.
 * Undocumented fields are left out, and counted in `masked_fields`. License keys are also replaced in all other strings
 * of the order.
 */
export const maskOrder = (order: Order, options?: MaskOptions): MaskedOrder =>
  maskResponse(order, orderShape, options).shown as unknown as MaskedOrder;

/** Like {@link maskOrder}, for a list entry (§2.2). */
export const maskOrderSummary = (summary: OrderSummary, options?: MaskOptions): OrderSummary & WithMaskedFields =>
  maskResponse(summary, orderSummaryShape, options).shown as OrderSummary;

/** Like {@link maskOrder}, for a page of the list (§4.2). */
export const maskOrderList = (list: OrderList, options?: MaskOptions): OrderList & WithMaskedFields =>
  maskResponse(list, orderListShape, options).shown as OrderList;

/** Like {@link maskOrder}, for the account (§2.1). */
export const maskUser = (user: User, options?: MaskOptions): User & WithMaskedFields =>
  maskResponse(user, userShape, options).shown as User;

/**
 * Returns a copy of any response that shows only the fields in `shape`, each in its documented form, and none of the
 * response's license keys. Takes time linear in the size of the response.
 * @param shape the documented fields
 */
export const maskResponse = (
  response: object,
  shape: Shape,
  { licenseKeys = true, personalData = false }: MaskOptions = {},
): { shown: object; masked: MaskedCounts } => {
  const masked: MaskedCounts = { licenseKeys: 0, personalData: 0, otherFields: 0 };
  const keys = createKeySearch(licenseKeys ? licenseKeyValues(response) : new Set());
  const people = createKeySearch(personalData ? personalValues(response) : new Set());

  const hide = (kind: keyof MaskedCounts, shown = marker): string => {
    masked[kind] += 1;
    return shown;
  };
  const replace = (text: string, kind: keyof MaskedCounts, replaced: string): string =>
    text === replaced ? text : hide(kind, replaced);
  const showText = (text: string): string => {
    const withoutKeys = replace(text, 'licenseKeys', keys.hide(text));
    return personalData ? replace(withoutKeys, 'personalData', hideAddresses(people.hide(withoutKeys))) : withoutKeys;
  };
  const showKey = (key: unknown, type: unknown): unknown => {
    if (!licenseKeys || key === '') return typeof key === 'number' ? key : showOpen(key);
    const tail = typeof key === 'string' && withTail.has(type) && isLong(key) ? key.slice(-4) : '';
    return hide('licenseKeys', keys.hide(tail) === tail ? marker + tail : marker);
  };
  const showUrl = (url: unknown): unknown => {
    if (!licenseKeys || url === '') return showOpen(url);
    const host = hostOf(url);
    return hide('licenseKeys', host === undefined ? marker : `${showText(host)}/${marker}`);
  };
  const showOpen = (value: unknown): unknown => (typeof value === 'string' ? showText(value) : hide('otherFields'));

  const show = (value: unknown, form: Form, siblings: Siblings): unknown => {
    if (value === null || value === undefined) return value;
    if (form.mask === 'person' && personalData) return hide('personalData');
    if (form.mask === 'licenseKey') return showKey(value, siblings.code_typ);
    if (form.mask === 'url') return showUrl(value);
    // If keys are masked, the billing address is masked too, whatever `personalData` says, because the fields of an
    // address are unknown.
    if (form.mask === 'address') return hide(licenseKeys ? 'otherFields' : 'personalData');
    if (form.shape) return showFields(value, form.type, form.shape);
    if (!form.is) return showOpen(value);
    const isShown = form.is(value) && (form.mask === 'word' || !keys.holds(String(value)));
    return isShown ? value : hide('otherFields');
  };
  const showFields = (value: unknown, type: Form['type'], shape: Shape): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) !== (type === 'list')) {
      return hide('otherFields');
    }
    if (Array.isArray(value))
      return value.map((element) => (element === null ? null : showFields(element, 'object', shape)));
    const all = Object.entries(value);
    const named = all.filter(([name]) => Object.hasOwn(shape, name));
    const shown = named.map(([name, inner]) => [name, show(inner, shape[name] as Form, value as Siblings)]);
    const left = all.length - named.length;
    masked.otherFields += left;
    return Object.fromEntries(left > 0 ? [...shown, ['masked_fields', left]] : shown);
  };
  return { shown: showFields(response, 'object', shape) as object, masked };
};

type Siblings = Readonly<Record<string, unknown>>;

/** Types of license codes whose key is not a login (§2.6). */
const withTail: ReadonlySet<unknown> = new Set(['retail', 'volumen', 'abo']);

/**
 * Whether a key has sixteen or more letters and digits, in groups or not. Anything that isn't a single word may be a
 * user name with a password.
 */
const isLong = (key: string): boolean => /^[a-z\d]+(-[a-z\d]+)*$/i.test(key) && key.replaceAll('-', '').length >= 16;

/** Returns the scheme and host of a URL: they show where a download comes from, but not which file it is. */
const hostOf = (url: unknown): string | undefined => {
  if (typeof url !== 'string') return undefined;
  try {
    const { protocol, hostname } = new URL(url);
    return protocol === 'https:' || protocol === 'http:' ? `${protocol}//${hostname}` : undefined;
  } catch {
    return undefined; // a relative URL, or not a URL
  }
};

/**
 * Returns the text without e-mail addresses, including percent-encoded ones. A match can start only at the start of a
 * word, so this takes linear time.
 */
const hideAddresses = (text: string): string => text.replace(addresses, marker);

const inWord = '[^\\s<>()[\\]"\',;:/?&=#|]';
const addresses = new RegExp(`(?<!${inWord})${inWord}+?(?:@|＠|%(?:25)*40|&#(?:64|x40);)${inWord}+`, 'gi');

/** Returns the account's e-mail address and name, which other fields may repeat. */
const personalValues = (response: object): Set<string> => {
  const { email, name } = response as Partial<User>;
  return new Set([email, name].filter((value) => typeof value === 'string'));
};
