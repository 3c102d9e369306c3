import type { Cents } from './money.ts';
import type { CodeType } from './products.ts';

/** Fields not in the API docs, returned unchanged. */
export type ExtraFields = Readonly<Record<string, unknown>>;

/** The four order statuses (§3). */
export const statuses = ['ausstehend', 'bezahlt', 'abgeschlossen', 'storniert'] as const;
export type Status = (typeof statuses)[number];

/** An item of an order, before settings are applied. */
export interface Line {
  id: number;
  productName: string;
  quantity: number;
  /** Gross unit price. */
  cents: Cents;
  codeType: CodeType | undefined;
  downloads: 'both' | 'only64' | 'only32' | 'none' | 'all';
  /** Number of codes when all are delivered. */
  codeCount: number;
  /** Activations of each code. */
  activations: number;
  /** Given fields of its codes, in order. The others are computed. */
  codes?: readonly GivenCode[];
  extraFields?: ExtraFields;
}

/** A license code (§2.6). */
export interface LicenseCode {
  id: number;
  licenseKey: string;
  codeType: CodeType;
  download64: string | null;
  download32: string | null;
  activations: number;
  extraFields?: ExtraFields;
}
export type GivenCode = Partial<LicenseCode>;

/** An order without its lines, as lists need it. */
export interface OrderSummary {
  id: number;
  status: Status;
  currency: string;
  /** ms since 1970, whole seconds. */
  createdAt: number;
  /** The given total, or the sum of the lines. */
  totalCents: Cents;
  /** Number of codes when all are delivered. */
  plannedCodes: number;
  /** Number of codes delivered so far, counted across the lines in order. */
  delivered: number;
  /** Delivered before payment: `zahlungsstatus` is open although the order is completed. */
  onInvoice: boolean;
  /** Default: derived from ID and date. */
  number?: string;
  /** Overrides the word of the settings. */
  paymentStatus?: string | null;
  /** Overrides the word of the settings. */
  deliveryStatus?: string | null;
  listFields?: ExtraFields;
}

/** A stored order. License keys are not stored unless given, but computed for each answer. */
export interface Order extends OrderSummary {
  lines: readonly Line[];
  /** Default: the account's address. */
  billingAddress?: object | null;
  detailFields?: ExtraFields;
}

/** Whether an order shows license codes: only if paid or completed (§3, §4.3.1). */
export const isEligible = (status: Status): boolean => status === 'bezahlt' || status === 'abgeschlossen';

/** Returns the total amount and number of codes of these lines. */
export const sumUp = (lines: readonly Omit<Line, 'id'>[]): Pick<OrderSummary, 'totalCents' | 'plannedCodes'> => {
  let totalCents = 0n;
  let plannedCodes = 0;
  for (const { cents, quantity, codeCount } of lines) {
    totalCents += BigInt(cents) * BigInt(quantity);
    plannedCodes += codeCount;
  }
  return { totalCents: totalCents <= Number.MAX_SAFE_INTEGER ? Number(totalCents) : totalCents, plannedCodes };
};
