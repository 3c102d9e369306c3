import { orderListShape, orderShape, orderSummaryShape, userShape } from './documented-shapes.ts';
import { createKeySearch, marker } from './key-search.ts';
import { licenseKeyValues } from './license-key-values.ts';
import type { Order } from './order.ts';
import type { OrderList, OrderSummary } from './order-list.ts';
import type { Masker, Shape } from './shape.ts';
import type { User } from './user.ts';

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
  /** Undocumented or malformed fields; with masked license keys, also billing addresses. */
  otherFields: number;
}

/** Added to an object whose fields were left out: how many. */
export interface WithMaskedFields {
  masked_fields?: number;
}

/** An order in which masking replaced values with `****`; the types of the documented fields match the API docs. */
export type MaskedOrder = Omit<Order, 'billing_address'> & WithMaskedFields & { billing_address?: '****' | null };

/**
 * A copy of an order without license keys and undocumented fields (§2.4 to §2.6 and §2.2). A long key keeps its last
 * four characters, a download URL its host. Malformed values and the billing address become `****`; other fields are
 * left out and counted in `masked_fields`. A key is also replaced in all other strings of the order.
 */
export const maskOrder = (order: Order, options?: MaskOptions): MaskedOrder =>
  maskAnswer(order, orderShape, options).answer as unknown as MaskedOrder;

/** The same for an entry of the list (§2.2). */
export const maskOrderSummary = (summary: OrderSummary, options?: MaskOptions): OrderSummary & WithMaskedFields =>
  maskAnswer(summary, orderSummaryShape, options).answer as OrderSummary;

/** The same for a page of the list (§4.2). */
export const maskOrderList = (list: OrderList, options?: MaskOptions): OrderList & WithMaskedFields =>
  maskAnswer(list, orderListShape, options).answer as OrderList;

/** The same for the account (§2.1). */
export const maskUser = (user: User, options?: MaskOptions): User & WithMaskedFields =>
  maskAnswer(user, userShape, options).answer as User;

/**
 * A copy of any answer that shows only what `shape` names, and none of the answer's license keys.
 * @param shape built from the documented shapes, and from `ownShape` for what the caller's own program adds
 */
export const maskAnswer = (
  answer: object,
  shape: Shape,
  { licenseKeys = true, personalData = false }: MaskOptions = {},
): { answer: object; masked: MaskedCounts } => {
  const masked: MaskedCounts = { licenseKeys: 0, personalData: 0, otherFields: 0 };
  const masker = createMasker(answer, licenseKeys, personalData, masked);
  const show = (value: unknown, within: Shape, fields: Fields): unknown => {
    if (value === null || value === undefined) return value;
    if (typeof within === 'function') return within(value, masker, fields);
    if (isElements(within)) {
      return Array.isArray(value) ? value.map((element) => show(element, within[0], {})) : masker.hideValue();
    }
    if (typeof value !== 'object' || Array.isArray(value)) return masker.hideValue();
    const all = Object.entries(value);
    const named = all.filter(([name]) => Object.hasOwn(within, name));
    const shown = named.map(([name, inner]) => [name, show(inner, within[name] as Shape, value as Fields)]);
    const left = all.length - named.length;
    masked.otherFields += left;
    return Object.fromEntries(left > 0 ? [...shown, ['masked_fields', left]] : shown);
  };
  return { answer: show(answer, shape, {}) as object, masked };
};

type Fields = Readonly<Record<string, unknown>>;

const isElements = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

const createMasker = (answer: object, licenseKeys: boolean, personalData: boolean, masked: MaskedCounts): Masker => {
  const keys = createKeySearch(licenseKeys ? licenseKeyValues(answer) : []);
  const people = createKeySearch(personalData ? personalValues(answer) : []);
  const hide = (kind: keyof MaskedCounts, shown = marker): string => {
    masked[kind] += 1;
    return shown;
  };
  const replace = (text: string, kind: keyof MaskedCounts, replaced: string): string =>
    text === replaced ? text : hide(kind, replaced);
  return {
    hidesPersonalData: personalData,
    hideIn(text) {
      const withoutKeys = replace(text, 'licenseKeys', keys.hide(text));
      if (!personalData) return withoutKeys;
      return replace(withoutKeys, 'personalData', people.hide(withoutKeys).replace(emailAddress, marker));
    },
    holds: (text) => keys.holds(text),
    showKey(value, isAccount) {
      if (!licenseKeys || value === '') return value;
      const tail = typeof value === 'string' && !isAccount && isLong(value) ? value.slice(-4) : '';
      return hide('licenseKeys', tail === keys.hide(tail) ? marker + tail : marker);
    },
    showUrl(value) {
      if (!licenseKeys || value === '') return value;
      const host = hostOf(value);
      return hide('licenseKeys', host === undefined ? marker : `${keys.hide(host)}/${marker}`);
    },
    hideValue: () => hide('otherFields'),
    hidePersonal: () => hide('personalData'),
    // With masked keys, the address is masked because its fields are unknown, whatever the option for personal data.
    hideAddress: () => hide(licenseKeys ? 'otherFields' : 'personalData'),
  };
};

/**
 * A key of sixteen or more letters and digits, in groups or not. Anything but a single word may be a user name with a
 * password.
 */
const isLong = (key: string): boolean => /^[a-z\d]+(-[a-z\d]+)*$/i.test(key) && key.replaceAll('-', '').length >= 16;

/** Scheme and host of an address: they show where a download comes from, but not which one it is. */
const hostOf = (url: unknown): string | undefined => {
  if (typeof url !== 'string') return undefined;
  try {
    const { protocol, hostname } = new URL(url);
    return protocol === 'https:' || protocol === 'http:' ? `${protocol}//${hostname}` : undefined;
  } catch {
    return undefined; // a relative address, or none
  }
};

const emailAddress = /[^\s@<>()[\]"',;:]+@[^\s@<>()[\]"',;:]+/g;

/** The account's e-mail address and name, which other fields may repeat. */
const personalValues = (answer: object): string[] => {
  const { email, name } = answer as Partial<User>;
  return [email, name].filter((value) => typeof value === 'string');
};
