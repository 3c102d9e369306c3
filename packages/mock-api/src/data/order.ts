import type { Json } from '../json.ts';
import type { Cents } from './money.ts';
import type { CodeType } from './products.ts';

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
  /** The codes of an own order, in order. Their missing fields are computed. */
  codes?: readonly Json[];
  /** The item of an own order, as given. */
  given?: Json;
}

/** A license code (§2.6). */
export interface LicenseCode {
  id: number;
  licenseKey: string;
  codeType: CodeType;
  download64: string | null;
  download32: string | null;
  activations: number;
  /** The code of an own order, as given. */
  given?: Json;
}

/** The fields of an own or changed order, as given. */
export interface Given {
  /** Served in the list. */
  list: Json;
  /** Served in the detail. */
  detail: Json;
  /** Status when the items were given: in an order without a right to codes, an empty list means that none are known. */
  status?: unknown;
}

/** An order without its lines, as lists need it. */
export interface OrderSummary {
  id: number;
  /** An own order can have any other. */
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
  given?: Given;
}

/** An order with its lines. License keys are computed for each response, unless they were given. */
export interface Order extends OrderSummary {
  lines: readonly Line[];
}

/** Whether an order shows license codes: only if paid or completed (§3, §4.3.1). */
export const isEligible = (status: Status): boolean => status === 'bezahlt' || status === 'abgeschlossen';

/** Returns the total amount and number of codes of these lines. */
export const sumUp = (lines: readonly Omit<Line, 'id'>[]): Pick<OrderSummary, 'totalCents' | 'plannedCodes'> => {
  let totalCents: Cents = 0;
  let plannedCodes = 0;
  for (const { cents, quantity, codeCount } of lines) {
    const sum: Cents = Number(totalCents) + Number(cents) * quantity;
    totalCents = Number.isSafeInteger(sum) ? sum : BigInt(totalCents) + BigInt(cents) * BigInt(quantity);
    plannedCodes += codeCount;
  }
  return { totalCents, plannedCodes };
};
