import type { Cents } from './money.ts';
import type { CodeType } from './products.ts';

/** Fields that the API docs do not name, answered as they are. */
export type ExtraFields = Readonly<Record<string, unknown>>;

/** The four order statuses (§3). */
export const statuses = ['ausstehend', 'bezahlt', 'abgeschlossen', 'storniert'] as const;
export type Status = (typeof statuses)[number];

/** One position of an order, before the settings give it its shape on the wire. */
export interface Line {
  id: number;
  productName: string;
  quantity: number;
  /** Gross price of one. */
  cents: Cents;
  codeType: CodeType | undefined;
  downloads: 'both' | 'only64' | 'only32' | 'none' | 'all';
  /** How many codes the line gets once all of them are delivered. */
  codeCount: number;
  /** Allowed activations of each code. */
  activations: number;
  /** What was given for its codes, in their order; the rest is computed. */
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

/** What the list shows of an order: its lines are counted and summed up, and need not be there. */
export interface OrderSummary {
  id: number;
  status: Status;
  currency: string;
  /** ms since 1970, whole seconds. */
  createdAt: number;
  /** Sum over the lines, unless another one was given. */
  totalCents: Cents;
  /** How many codes it holds once all of them are delivered. */
  plannedCodes: number;
  /** How many of its codes have been delivered, over all lines in their order. */
  delivered: number;
  /** Delivered before it is paid, so `zahlungsstatus` is open although the order is completed. */
  onInvoice: boolean;
  /** Made from id and date where absent. */
  number?: string;
  /** The word for it, whatever the settings say; theirs where absent. */
  paymentStatus?: string | null;
  /** The word for it, whatever the settings say; theirs where absent. */
  deliveryStatus?: string | null;
  listFields?: ExtraFields;
}

/** An order of the service. License keys are not part of it: they are computed when an answer needs them. */
export interface Order extends OrderSummary {
  lines: readonly Line[];
  /** The account's where absent. */
  billingAddress?: object | null;
  detailFields?: ExtraFields;
}

/** Codes exist only for paid and completed orders (§3, §4.3.1). Every code of every answer passes this gate. */
export const isEligible = (status: Status): boolean => status === 'bezahlt' || status === 'abgeschlossen';

/** Amount and number of codes of these lines. */
export const sumUp = (lines: readonly Omit<Line, 'id'>[]): Pick<OrderSummary, 'totalCents' | 'plannedCodes'> => {
  let totalCents = 0n;
  let plannedCodes = 0;
  for (const { cents, quantity, codeCount } of lines) {
    totalCents += BigInt(cents) * BigInt(quantity);
    plannedCodes += codeCount;
  }
  return { totalCents: totalCents <= Number.MAX_SAFE_INTEGER ? Number(totalCents) : totalCents, plannedCodes };
};
