import type { Cents } from './money.ts';
import type { CodeType } from './products.ts';

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
}

/** What the list shows of an order: its lines are counted and summed up, and need not be there. */
export interface OrderSummary {
  id: number;
  status: Status;
  currency: string;
  /** ms since 1970, whole seconds. */
  createdAt: number;
  /** Sum over the lines. */
  totalCents: Cents;
  /** How many codes it holds once all of them are delivered. */
  plannedCodes: number;
  /** How many of its codes have been delivered, over all lines in their order. */
  delivered: number;
  /** Delivered before it is paid, so `zahlungsstatus` is open although the order is completed. */
  onInvoice: boolean;
}

/** An order of the service. License keys are not part of it: they are computed when an answer needs them. */
export interface Order extends OrderSummary {
  lines: readonly Line[];
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
